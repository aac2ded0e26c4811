# SPDX-License-Identifier: Apache-2.0
# Inlined calls and lines on the stacks: all four combinations, with a trap in and a call
# out of an inlined function, and a function that calls itself by a jump. Without the
# source frames, the stacks and calls are the same.
cat > pot.h << 'END'
static inline void pour(volatile int *pot, int value)
{
	*pot = *pot * 3 + value;
}

int sip(int sum);

static inline int serve(int sum)
{
	return sip(sum) + 1;
}

static inline int stir(volatile int *pot, int times)
{
	int sum = 0;
	for (int i = 0; i < times; i++) {
		pour(pot, i);
		asm volatile("ecall");
		sum += *pot;
	}
	return sum;
}
END
cat > pot.c << 'END'
#include "pot.h"
volatile int pot;
int again(int n);
asm("	.section .text.unlikely, \"ax\"\n"
    "	.globl _start\n"
    "_start:\n"
    "	la sp, _start + 0x10000\n"
    "	la t0, trap\n"
    "	csrw mtvec, t0\n"
    "	call main\n"
    "	li a0, 0x100000\n"
    "	li a1, 0x5555\n"
    "	sw a1, 0(a0)\n"
    "	.type trap, @function\n"
    "trap:	csrr t0, mepc\n"
    "	addi t0, t0, 4\n"
    "	csrw mepc, t0\n"
    "	mret\n"
    "	.size trap, . - trap\n"
    "	.text\n");
__attribute__((noinline)) static int cook(int times)
{
	int sum = stir(&pot, times);
	pour(&pot, sum);
	return serve(sum) + serve(2);
}
__attribute__((noinline, noclone)) int again(int n)
{
	pot++;
	if (n == 0)
		return 0;
	asm volatile("addi a0, %0, -1\n\tj again" ::"r"(n) : "a0");
	__builtin_unreachable();
}
__attribute__((noinline, noipa)) int sip(int sum)
{
	return sum + pot;
}
int main(void)
{
	stir(&pot, 1);
	return cook(2) + again(2);
}
END
riscv64-unknown-elf-gcc -g -O2 -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding \
	-fno-reorder-functions -nostdlib -static -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments -o pot.elf pot.c
echo pot.elf > bins.lst
soc-model --trace pot.tr pot.elf
tr-match --bins bins.lst -o matched.tr pot.tr
for options in '' --inline --lines '--inline --lines'; do
	echo "== $options"
	tr-unwind $options -o stacks.tr matched.tr
	tr-fold stacks.tr | tee folded
	sed -E 's/;[^;]*:[0-9]+ ([0-9]+)$/ \1/; :again; s/;[^;]* \(inlined\)//; t again' folded \
		| awk '{ sum[$1] += $2 } END { for (stack in sum) print stack, sum[stack] }' \
		| sort > functions
	tr-report functions stacks.tr | tee table | awk 'NF == 13 && $1 != "-" {
		print $1, $4, $6, $7, $8, $9, $13 }' | sort > calls
	if [ -z "$options" ]; then
		mv functions plain-functions
		mv calls plain-calls
	else
		cmp functions plain-functions
		cmp calls plain-calls
	fi
done
cat table
tr-text stacks.tr | grep -E '^(func|node)' | head -12
