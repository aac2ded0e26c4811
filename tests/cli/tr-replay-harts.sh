# SPDX-License-Identifier: Apache-2.0
# Probes on two harts over several frames, which end in the middle of what a hart does: by
# notes and by addresses they are hit alike, once for each call. A machine with fewer harts
# than the trace is an error.
cat > kernel.c << 'END'
static volatile int finished;
volatile long results[2];

static long sbi(long extension, long function, long a, long b, long c)
{
	register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
	register long a6 __asm__("a6") = function, a7 __asm__("a7") = extension;
	__asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a6), "r"(a7) : "memory");
	return a0;
}

__attribute__((noinline)) long mix(long n, long seed)
{
	for (long i = 0; i < n % 64 + 3; i++)
		seed = (seed << 7 | (unsigned long)seed >> 57) * 5 + n;
	return seed;
}

void run(long hart)
{
	extern char second[];
	long seed = hart;
	if (hart == 0)
		sbi(0x48534d, 0, 1, (long)second, 0);
	for (long i = 0; i < 8000; i++)
		seed = mix(i * (hart + 2), seed);
	results[hart] = seed;
	__atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
	while (hart == 0 && finished < 2)
		;
	if (hart == 0)
		*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
cat > start.S << 'END'
	.globl _start
_start:	li a0, 0
	la sp, _start + 0x100000
	j run
	.globl second
second:	li a0, 1
	la sp, _start + 0x110000
	j run
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -g -O1 -nostdlib -static -o kernel.elf \
	start.S kernel.c -Wl,-n,-Ttext=0x80200000,-e,_start,--no-warn-rwx-segments,--build-id=none
run=("$SRC/build/target/firmware-smp.elf" kernel.elf)
soc-sim --harts 2 --max-cycles 20M --trace run.tr "${run[@]}"
cp kernel.elf matched.elf
printf '%s\n' "${run[0]} firmware" 'matched.elf kernel' > bins.lst
tr-match --bins bins.lst -o matched.tr run.tr
tr-info run.tr | awk '/^  frames / { frames = $2 } END { print "several frames: " (frames > 2) }'
probes() { printf '%s\n' "in: $1:mix { n = n; seed = seed }" "out: $1:mix:return { n = arg0; result = retval; began = entered }"; }
probes kernel > kernel.probes
probes matched > matched.probes
tr-replay --probes kernel.probes run.tr "${run[@]}" > kernel.txt
tr-replay --probes matched.probes matched.tr "${run[@]}" > matched.txt
cmp kernel.txt matched.txt && echo 'alike'
awk '{ print $3, $4 }' matched.txt | sort | uniq -c
# Each call begins with the result of the hart's last one.
awk '$4 == "in" { sub(/seed=/, "", $6); good += !($3 in last) || $6 == last[$3] } $4 == "out" { last[$3] = substr($6, 8) } END { print good + 0 }' matched.txt

tr-text run.tr | sed 's/^header harts=2/header harts=1/' | tr-text --encode -o fewer.tr
tr-replay fewer.tr "${run[@]}" 2> fewer.txt || echo "status $?"
sed 's/byte [0-9]*/byte N/' fewer.txt >&2
