# SPDX-License-Identifier: Apache-2.0
# tr-report memory: what the program itself knows of its accesses, by symbol, on both cores: how
# many there are, and which of them miss. The rows add up to all accesses, exactly.
cat > walk.c << 'END'
long big[1 << 18]; /* twice L2 */
long small[512], sum;
static long local[8];

void main(void)
{
	long on_stack[64], *volatile stack = on_stack, s = 0;
	for (int i = 0; i < 1 << 18; i += 8)
		s += ((volatile long *)big)[i];
	for (int k = 0; k < 20; k++)
		for (int i = 0; i < 512; i++)
			((volatile long *)small)[i]++;
	for (int i = 0; i < 64; i++)
		((volatile long *)stack)[i] = i;
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add(&local[i & 7], 1, __ATOMIC_RELAXED);
	sum = s;
	for (int i = 0; i < 5; i++) /* above the end of the program: nothing is known of it */
		*(volatile char *)(0x87000000L + i * 64) = 1;
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' '.bss' '.balign 16' '.zero 4096' 'stack_top:' > start.S
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -O1 -g -nostdlib -static -o walk.elf start.S walk.c \
	-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
soc-sim --trace walk.tr walk.elf
tr-replay --stream --accesses walk.tr walk.elf | tr-match --bins walk.elf > accesses.tr
tr-report memory --format csv accesses.tr > all.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ name = $at["object"]; sum += $at["accesses"]; lost = 0
	for (c in at) if (c ~ /^memory/) lost += $at[c]
	print name, "loads", $at["loads"], "stores", $at["stores"], "atomics", $at["atomics"]
	if (name == "big") print "big: nearly all miss:", ($at["missed"] > 32700 && $at["missed"] <= 32768), "in DRAM:", ($at["memory.dram"] > 32700 * 50)
	if (name == "small") print "small: lines", $at["lines"], "few miss:", ($at["missed"] <= 80)
	if (name == "[unknown]") print "unknown: lines", $at["lines"] }
	END { print "accesses", sum }' all.csv | sort
tr-text --tokens accesses.tr | grep -c '^token.*[(]' | sed 's/^/by tokens /'
# Fewer rows have the same sum.
tr-report memory --limit 1 --format csv accesses.tr | awk -F, 'NR > 1 { sum += $1; print $(NF - 1) } END { print sum }'
tr-report memory accesses.tr | head -1 | sed 's/slots lost/cycles lost/'
tr-report memory --format json accesses.tr | tr , '\n' | grep -c '"object"'

# What makes no sense, and damage.
tr-match --bins walk.elf walk.tr | tr-report memory
tr-report memory walk.tr
tr-report memory --line 48 accesses.tr
head -c $(($(wc -c < accesses.tr) / 2)) accesses.tr > cut.tr
tr-report memory cut.tr 2>&1 | sed 's/record [0-9]*, byte [0-9]*/record N, byte N/'
tr-report memory accesses.tr > /dev/full
