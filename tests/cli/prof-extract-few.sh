# SPDX-License-Identifier: Apache-2.0
# A stripped program has no unwind tables of most of its code.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	printf 'function begin\n.cfi_startproc\naddi a0, a0, 1\naddi a1, a1, 1\nret\n.cfi_endproc\ndone_ begin\n'
	printf 'function without\n.rept 20\naddi a0, a0, 1\n.endr\nret\ndone_ without\n'
} > a.s
riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static -Wl,--build-id=none -Wl,-e,begin -o a.elf a.s
prof-extract --list a.elf
riscv64-linux-gnu-strip a.elf
prof-extract --list a.elf

# It is not told besides the reason why there are no files.
mkdir -p prof/shmemg.dat
prof-extract -o prof a.elf
echo "status $?"
