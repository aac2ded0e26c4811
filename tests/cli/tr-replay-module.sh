# SPDX-License-Identifier: Apache-2.0
# Probes in a kernel module: its debug information is relocated, and each of its sections is
# at a place of its own, which the notes of tr-match give.
target=$SRC/build/target
cat > module.c << 'END'
struct item { int weight; struct item *next; };
static int total;
const char info[] __attribute__((section(".modinfo"))) = "license=GPL";

__attribute__((noinline)) long weigh(const struct item *item, long scale)
{
	long sum = 0;
	for (; item; item = item->next)
		sum = (sum ^ item->weight) * scale + 3;
	total += (int)sum;
	return sum;
}

__attribute__((noinline, section(".init.text"))) int begin(int count)
{
	volatile int n = 0;
	while (n < count)
		n += 1 + (n & 1) * count;
	return n * 5;
}
END
cat > kernel.c << 'END'
struct item { int weight; struct item *next; };
long weigh(const struct item *item, long scale);
int begin(int count);
static struct item second = {7, 0}, first = {5, &second};
void run(void)
{
	volatile int *power = (volatile int *)0x100000;
	begin(9);
	for (long scale = 1; scale < 4; scale++)
		weigh(&first, scale);
	*power = 0x5555;
}
END
cat > start.S << 'END'
	.globl _start
_start:	la sp, _start + 0x100000
	call run
	j .
END
gcc="riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -g -O1 -mno-relax -nostdlib"
for version in 4 5; do
	$gcc -gdwarf-$version -c -o module.ko module.c
	$gcc -o kernel.elf start.S kernel.c module.ko -Wl,-n,-Ttext=0x80200000,--section-start=.init.text=0x80260000 \
		-Wl,-e,_start,--no-relax,--no-warn-rwx-segments,--build-id=none
	run=("$target/firmware.elf" kernel.elf)
	soc-model --trace run.tr "${run[@]}"
	printf '%s\n' "$target/firmware.elf firmware" 'module.ko kernel' > bins.lst
	tr-match --bins bins.lst -o matched.tr run.tr 2> /dev/null # the kernel is not listed
	tr-replay --probe 'begin: module.ko:begin:return { count = arg0; n = retval }' \
		--probe 'weigh: module.ko:weigh { scale = arg1; weights = arg0->weight * 10 + item->next->weight; size = sizeof(*item) }' \
		--probe 'weighed: module.ko:weigh:return { sum = retval; total = total }' matched.tr "${run[@]}" | cut -d' ' -f4- > $version.txt
done
cmp 4.txt 5.txt && cat 5.txt

# Names that are not there; a module without debug information.
tr-replay --probe 'x: module.ko:weight { }' matched.tr "${run[@]}"
tr-replay --probe 'x: module.ko:weigh { a = arg0->wait }' matched.tr "${run[@]}"
riscv64-unknown-elf-strip -g module.ko
tr-replay --probe 'x: module.ko:weigh { }' matched.tr "${run[@]}"
