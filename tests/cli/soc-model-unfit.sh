# SPDX-License-Identifier: Apache-2.0
# Loading a program reports the features that it needs and the machine lacks.
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
for isa in rv64gc rv64imac rv64gcv; do
	soc-model --isa $isa d.elf
	echo "d.elf with --isa $isa: status $?" >&2
done
