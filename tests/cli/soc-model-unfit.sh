# SPDX-License-Identifier: Apache-2.0
# What a program needs and the machine does not have is told when it is loaded.
. "$SRC/tests/cli/soc-model.inc"
program plain.elf <<< ".globl _start; _start: $off"
program tohost.elf <<< ".globl _start; _start: $off
	.section .tohost, \"aw\"
	.globl tohost
	.type tohost, @object
tohost:	.dword 0"
for abi in f d; do
	riscv64-unknown-elf-gcc -march=rv64g -mabi=lp64$abi -nostdlib -static -x assembler - \
		-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments -o $abi.elf <<< ".globl _start; _start: $off"
done
for file in plain.elf f.elf d.elf tohost.elf; do
	soc-model $file
	echo "$file: status $?" >&2
done
