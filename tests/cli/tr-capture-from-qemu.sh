# SPDX-License-Identifier: Apache-2.0
# QEMU's log of harts that run in threads, of programs without a machine, of a hypervisor,
# and of more blocks than a table holds at first.
block() { # PC PRIV INSTRUCTION...
	printf -- '----------------\nIN: \n'
	[ -z "$2" ] || echo "Priv: $2"
	local pc=$1 insn
	for insn in "${@:3}"; do
		printf '0x%016x:  %s              insn\n' "$pc" "$insn"
		pc=$((pc + ${#insn} / 2))
	done
	echo
}
run() { # HART HOST PC
	printf 'Trace %d: 0x7f00%08x [00000000/%016x/00103003/ff000000] \n' "$1" "$2" "$3"
}
trap() { # HART CAUSE EPC
	printf 'riscv_cpu_do_interrupt: hart:%d, async:0, cause:%016x, epc:0x%016x, tval:0x0000000000000000, desc=x\n' "$@"
}
show() {
	echo "$1"
	cat > "$1.log"
	tr-capture -o a.tr "$1.log"
	tr-text --tokens a.tr | sed -n 's/ cycles=.*hart=/ hart=/; s/ satp=.*//; /^\(token\|trap\|xret\|priv\|hart\)/p'
}
m='3; Virt: 0'
{
	block 0x80000000 "$m" 0001 bffd
	run 0 0x100 0x80000000
	block 0x80000010 "$m" 0001 bffd
	run 0 0x100 0x80000000
	run 1 0x200 0x80000010
	run 0 0x100 0x80000000
} | show threads
# Two blocks that two harts have translated; the same block by both; code that was changed,
# at the place of the block that it replaces; a block that was translated long before.
{
	block 0x80000000 "$m" 0001 a001
	run 0 0x100 0x80000000
	block 0x80000020 "$m" 0001 a001
	block 0x80000010 "$m" 00000013 a001
	run 1 0x200 0x80000010
	block 0x80000000 "$m" 0001 a001
	run 0 0x100 0x80000000
	run 1 0x300 0x80000000
	block 0x80000000 "$m" 00150513 a001
	run 0 0x100 0x80000000
	run 0 0x400 0x80000020
} | show between
# One of two harts stops before a block that both were about to execute.
{
	block 0x80000000 "$m" 0001 a001
	run 0 0x100 0x80000000
	run 1 0x100 0x80000000
	echo 'Stopped execution of TB chain before 0x7f0000000100 [0000000080000000] '
} | show stopped
# With -icount a block ends before an access to a device, which another one repeats.
{
	block 0x80000000 "$m" 0001 c10c 0001 c10c a001
	run 0 0x100 0x80000000
	echo 'cpu_io_recompile: rewound execution of TB to 0000000080000000'
	block 0x80000002 "$m" c10c
	run 0 0x200 0x80000002
	block 0x80000004 "$m" 0001 c10c a001
	run 0 0x300 0x80000004
	run 1 0x300 0x80000004
	echo 'cpu_io_recompile: rewound execution of TB to 0000000080000004'
	trap 1 5 0x80000006
} | show icount
{
	block 0x10000 '' 0001 00000073
	run 0 0x100 0x10000
	block 0x10006 '' 8082
	run 0 0x200 0x10006
	run 1 0x200 0x10006
} | show program
# HS-mode enters VS-mode, which enters VU-mode and calls; older versions do not print Virt.
{
	block 0x80000000 '1; Virt: 0' 0001 10200073
	run 0 0x100 0x80000000
	block 0x1000 '1; Virt: 1' 10200073
	run 0 0x200 0x1000
	block 0x2000 '0; Virt: 1' 0001 00000073
	run 0 0x300 0x2000
	trap 0 8 0x2002
	block 0x1100 '1; Virt: 1' 0001 00000073
	run 0 0x400 0x1100
	trap 0 10 0x1102
	block 0x80000100 '1; Virt: 0' 0001 a001
	run 0 0x500 0x80000100
	block 0x80000200 3 30200073
	run 0 0x600 0x80000200
} | show hypervisor
# Without nochain: one round of a loop is in the log, and all that is fits together. The
# message is an error even if bad lines may be skipped.
{
	block 0x80000000 "$m" 0001
	run 0 0x100 0x80000000
	block 0x80000002 "$m" 0001 bff5
	echo 'Linking TBs 0x7f0000000100 index 0 -> 0x7f0000000200'
	run 0 0x200 0x80000002
	echo 'Linking TBs 0x7f0000000200 index 0 -> 0x7f0000000100'
	run 0 0x100 0x80000000
} > chained.log
for option in '' --skip-bad=9; do
	status=0
	tr-capture $option -o a.tr chained.log || status=$?
	echo "chained $option: $status"
done
# A function of this name is no such line.
{
	block 0x80000000 "$m" 0001 a001 | sed 's/^IN:.*/IN: Linking TBs /'
	run 0 0x100 0x80000000 | sed 's/$/Linking TBs /'
} | show named
# The log begins within a block.
{ block 0x80000000 "$m" 0001 a001 | tail -n +5; block 0x80000010 "$m" a001; run 0 0x100 0x80000010; } | show cut
awk 'BEGIN {
	for (i = 0; i < 200000; i++) {
		pc = 0x10000 + 4 * i
		printf "IN: \nPriv: 0; Virt: 0\n0x%016x:  8082              ret\n\n", pc
		printf "Trace 0: 0x7f%010x [00000000/%016x/00000000/ff000000] \n", 256 * i, pc
	}
	for (i = 0; i < 200000; i += 10)
		printf "Trace 0: 0x7f%010x [00000000/%016x/00000000/ff000000] \n", 256 * i, 0x10000 + 4 * i
}' > many.log
tr-capture -o a.tr many.log
tr-info a.tr | grep '^  instructions  '
