# SPDX-License-Identifier: Apache-2.0
# CVA6's log: exceptions without a name, or with one that the instruction cannot have, and
# compressed instructions that are written as what they expand to.
show() {
	tr-capture -o a.tr "$@"
	tr-text --tokens a.tr | grep -E '^(hart|token|trap|xret|reg)' | sed 's/ satp=.*//'
}
insn() { # PC BITS WRITES
	echo "core   0: 0x00000000$1 (0x$(printf %08x 0x$2)) DASM($2)"
	echo "3 0x00000000$1 (0x$2)${3+ $3}"
}
{
	insn 80000000 00016117 'x 2 0x0000000080016000'
	insn 80000004 0005b503
	echo ' exception @ 0x0000000080000004 (0x0005b503)' # a page fault
	insn 80000100 30200073
	insn 80000004 0005b503
	insn 80000008 a021
	echo 'ST_ACCESS_FAULT exception @ 0x0000000080000010 (0x00b53023)'
	insn 80000100 30200073
	echo 'ST_ACCESS_FAULT exception @ 0x0000000080000014 (0x651c)' # a load
	insn 80000100 30200073
	echo 'ILLEGAL_INSTR exception @ 0x0000000080000014 (0x0005a583)' # another
	insn 80000100 30200073
	echo 'ILLEGAL_INSTR exception @ 0x0000000080000014 (0x00000000)'
	insn 80000100 30200073
	insn 80000014 00000073
	echo 'ENV_CALL_MMODE exception @ 0x0000000080000014 (0x00000073)'
	insn 80000100 30200073
	echo 'ENV_CALL_MMODE exception @ 0x0000000080000018 (0x651c)'
	insn 80000100 30200073
	echo 'LD_ACCESS_FAULT exception @ 0x0000000080000018 (0x651c)'
	insn 80000100 30200073
} > trace_rvfi_hart_05.dasm
show trace_rvfi_hart_05.dasm
# What the real CVA6 wrote, its compressed instructions as if they were others of 32 bits:
# the binary has them. Where an interrupt after a return came is not told.
logs=$SRC/tests/cli/data/logs
riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o cva6.elf "$logs/cva6-real.S"
functions() {
	tr-match --bins cva6.elf "$1" 2> /dev/null | tr-unwind 2> /dev/null | tr-fold |
		awk '{ sub(/.*;/, ""); sum[$1] += $2 } END { for (name in sum) print name, sum[name] }' | sort
}
for log in cva6-real cva6-timed; do
	sed -E 's/\(0x(0000)?[0-9a-f]{3}([014589c])\)/(0x00000013)/; s/\(0x(0000)?[0-9a-f]{3}[26ae]\)/(0x00000033)/' \
		"$logs/$log.dasm" > expanded.dasm
	tr-capture --xlen 32 -o plain.tr "$logs/$log.dasm"
	tr-capture --xlen 32 -o a.tr expanded.dasm
	functions plain.tr > plain.txt
	functions a.tr | diff plain.txt -
	tr-info a.tr | grep cannot_supply
done
# Compressed instructions come late, behind what is looked at first.
{
	for ((i = 0; i < 5000; i++)); do insn 80000000 00000063; done
	insn 80000004 00000013
	insn 80000006 00000013
	insn 8000000a 00000013
	insn 8000000c 30200073
} > late.dasm
show late.dasm | tail -n 5
