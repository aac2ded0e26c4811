# SPDX-License-Identifier: Apache-2.0
# The machine starts at the reset address, whatever entry the ELF file gives, and says so.
. "$SRC/tests/cli/soc-model.inc"
program late.elf << END
	nop
	.globl _start
_start: $off
END
program good.elf <<< ".globl _start; _start: $off"
riscv64-unknown-elf-objcopy -O binary late.elf late.bin
riscv64-unknown-elf-objcopy --change-addresses 0x1000 late.elf high.elf 2> /dev/null
for files in late.elf good.elf 'high.elf good.elf' late.bin@0x80000000 \
	'late.bin@0x80000000 high.elf' high.elf; do
	soc-model $files
	echo "$files: status $?" >&2
done
