# SPDX-License-Identifier: Apache-2.0
# A program by itself, linked as README.md says, may have more than 2 MiB of data; firmware in
# front of another image may not.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
END
cat > mine.c << 'END'
static volatile unsigned char cleared[5 << 20], filled[3 << 20] = {1};
int main(void)
{
	cleared[sizeof(cleared) - 1] = filled[sizeof(filled) - 1] = filled[0];
	return cleared[sizeof(cleared) - 1];
}
END
build() { # OPERAND...
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -ffreestanding -nostdlib \
		-T "$SRC/sim/target/firmware/firmware.ld" "$@" -o mine.elf start.S mine.c
}
build
soc-model --trace mine.tr mine.elf
tr-match --bins mine.elf mine.tr | tr-unwind 2> /dev/null | tr-fold
build "$SRC/sim/target/firmware/next-stage.ld" 2>&1 | grep -o 'the firmware.*'
