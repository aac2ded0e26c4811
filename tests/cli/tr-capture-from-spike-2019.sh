# SPDX-License-Identifier: Apache-2.0
# Spike's logs of 2019, with a commit without a hart after the line of its instruction, of
# all instructions or of those that write a register: privileges, traps and stacks are those
# of a log of today.
real=real.log # without the endless loop at its end
awk '{ print } /c\.j +pc \+ 0/ { getline; print; exit }' "$SRC/tests/cli/data/logs/spike-real.log" > real.log
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o real.elf "$SRC/tests/cli/data/logs/spike-real.S"
stacks() { tr-match --bins real.elf "$1" 2> /dev/null | tr-unwind 2> /dev/null | tr-fold; }
# ALL: 1 if there is a line for a commit that writes no register
old() {
	awk -v all="$1" '!/: [0-3] 0x/ { if (!/>>>>/) print; next }
		{ sub(/core +[0-9]+: /, ""); sub(/ c[0-9]+_.*/, ""); sub(/ mem .*/, "")
		  written = match($0, /\) [xf][0-9]+ +0x/)
		  if (match($0, /\) [xf][0-9] +0x/)) sub(/\) x/, ") x ")
		  gsub(/  +0x/, " 0x")
		  if (written || all) print }' "$2"
}
tr-capture -o real.tr "$real"
stacks real.tr > real.folded
for all in 0 1; do
	old $all "$real" > old.log
	head -n 12 old.log | tail -n 4
	tr-capture -o a.tr old.log
	tr-text a.tr | grep -E '^header (source|xlen|cannot|watch)'
	stacks a.tr | cmp - real.folded
	cmp <(tr-text --tokens a.tr | grep -E '^(token|trap|xret)' | sed 's/ satp=.*//') \
		<(tr-text --tokens real.tr | grep -E '^(token|trap|xret)' | sed 's/ satp=.*//')
	tr-capture --from spike < old.log | tr-text --tokens | grep -v pg= | cmp - <(tr-text --tokens a.tr | grep -v pg=)
done
# An instruction that trapped, an interrupt, a return whose handler's privilege a later
# commit tells, two harts, RV32, the end
cat > traps.log << 'END'
core   0: 0x0000000000001010 (0x00028067) jr      t0
core   0: 0xffffffff80000000 (0x00016117) auipc   sp, 0x16
3 0x80000000 (0x00016117) x 2 0x80016000
core   0: 0xffffffff80000004 (0x00000073) ecall
core   0: exception trap_machine_ecall, epc 0xffffffff80000004
core   0:           tval 0x0000000000000000
core   0: 0xffffffff80000100 (0x00112023) sw      ra, 0(sp)
core   0: 0xffffffff80000104 (0x30200073) mret
core   1: 0xffffffff80000000 (0x00016117) auipc   sp, 0x16
3 0x80000000 (0x00016117) x 2 0x80026000
core   0: 0x0000000000010000 (0x00112023) sw      ra, 0(sp)
core   0: 0x0000000000010004 (0x00006137) lui     sp, 0x6
0 0x00010004 (0x00006137) x 2 0x00006000
core   0: 0x0000000000010008 (0x00112023) sw      ra, 0(sp)
core   0: exception interrupt #7, epc 0x000000000001000c
core   0: 0xffffffff80000100 (0x00112023) sw      ra, 0(sp)
core   0: 0xffffffff80000104 (0x00000213) li      tp, 0
3 0x80000104 (0x00000213) x 4 0x00000000
core   0: 0xffffffff80000108 (0x00112023) sw      ra, 0(sp)
END
tr-capture -o a.tr traps.log
tr-text --tokens a.tr | sed -n 's/ cycles=.*hart=/ hart=/; s/ satp=.*//; /^\(token\|trap\|xret\|priv\|reg\|hart\|header xlen\)/p'
# Executions that have no line of their own; the last loop is interrupted, the ecall traps.
cat > loop.log << 'END'
core   0: 0x0000000080000000 (0x00016117) auipc   sp, 0x16
core   0: Executed 3 times
core   0: 0x0000000080000004 (0x0000a001) c.j     pc + 0
core   0: exception interrupt #7, epc 0x0000000080000004
core   0: Executed 5 times
core   0: 0x0000000080000100 (0x00000013) nop
core   0: 0x0000000080000104 (0x00000073) ecall
core   0: exception trap_machine_ecall, epc 0x0000000080000104
core   0:           tval 0x0000000000000000
core   0: Executed 2 times
core   0: 0x0000000080000100 (0x00000013) nop
core   0: Executed 99999999 times
END
executed() {
	tr-capture -o a.tr "$1"
	echo "status $?"
	tr-text --tokens a.tr | sed -n 's/ cycles=.*hart=/ hart=/; s/ satp=.*//; /^\(token\|trap\)/p'
}
executed loop.log
sed '/^core   0: Exec.*9 /d; /auipc/a 3 0x0000000080000000 (0x00016117) x 2 0x0000000080016000\n3 0x0000000080000000 (0x00016117) x 2 0x0000000080016000\n3 0x0000000080000000 (0x00016117) x 2 0x0000000080016000' loop.log > pairs.log
executed loop.log 2> /dev/null | tail -n +2 > loop.txt
executed pairs.log | tail -n +2 | cmp - loop.txt
# CVA6's tracer writes the same of an instruction.
cat > cva6.log << 'END'
core   0: 0x0000000080000000 (0x00016117) auipc   sp, 0x16
3 0x0000000080000000 (0x00016117) x 2 0x0000000080016000
core   0: 0x0000000080000004 (0x00000073) ecall
3 0x0000000080000004 (0x00000073)
core   0: 0x0000000080000100 (0x00000013) nop
3 0x0000000080000100 (0x00000013)
END
tr-capture -o a.tr cva6.log
tr-text --tokens a.tr | grep -E '^(header source|token|trap)' | sed 's/ satp=.*//'
