# SPDX-License-Identifier: Apache-2.0
# A binary for RV32 is not matched in the trace of an RV64 machine, nor the reverse.
echo '__attribute__((naked)) void _start(void) { __asm__("nop; ret"); }' > a.c
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -nostdlib -o rv32.elf a.c
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -o rv64.elf a.c
for xlen in 32 64; do
	printf '%s\n' 'header content=rows' "header xlen=$xlen" 'block a pc=0x10054 0001 8082' \
		'row a' 'end end=limit' | tr-text --encode -o "$xlen.tr"
done
for list in 32 64; do
	echo "rv$list.elf user" > "$list.lst"
	for xlen in 32 64; do
		tr-match --bins "$list.lst" -o out.tr "$xlen.tr" 2> message
		echo "RV$list on RV$xlen: exit $?"
		grep 'but the stream' message
	done
done
exit 0
