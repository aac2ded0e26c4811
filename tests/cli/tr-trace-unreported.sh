# SPDX-License-Identifier: Apache-2.0
# The trace port: interrupts that `intr` does not show, or whose place is not known, and cores
# without instruction bits. The stacks are those that a core tells completely.
cat > p.S << 'END'
	.globl _start, work, tick
	.type _start, @function
	.type work, @function
	.type tick, @function
_start:	jal	work
1:	j	1b
work:	addi	sp, sp, -16
2:	addi	a0, a0, -1
	bnez	a0, 2b
	addi	sp, sp, 16
	ret
tick:	addi	a1, a1, 1
	mret
END
riscv64-unknown-elf-gcc -march=rv32i_zicsr -mabi=ilp32 -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x1000 -o p.elf p.S

# The commits of N rounds, with an interrupt after a taken branch and one after an addition;
# a second one follows the last of these at once.
commits() { # INTR: of interrupts; NEXT: 0 if pc_wdata is missing, 2 if it is pc + 4 of an xret
	awk -v intr="$1" -v has_next="$2" '
	function put(pc, next_pc, bits, is_intr) {
		printf "0x%x 0x%x 0x%s 0 0 %d\n", pc, has_next ? next_pc : 0, bits, is_intr
	}
	function tick(back) { put(4124, 4128, "00158593", intr); put(4128, has_next == 2 ? 4132 : back, "30200073", 0) }
	BEGIN {
		put(4096, 4104, "008000ef"); put(4104, 4108, "ff010113")
		for (i = 0; i < 9; i++) {
			put(4108, 4112, "fff50513")
			if (i % 3 == 1) tick(4112)
			if (i == 7) tick(4112)
			put(4112, i < 8 ? 4108 : 4116, "fe051ee3")
			if (i % 3 == 2 && i < 8) tick(4108)
		}
		put(4116, 4120, "01010113"); put(4120, 4100, "00008067"); put(4100, 4100, "0000006f")
	}'
}
show() { # LACKS INTR NEXT
	echo "lacks $1, intr $2, next_pc $3:"
	commits "$2" "$3" | "$BIN/../tests/commits" run.tr "$1" || return 0
	tr-info --check run.tr | sed -n '/^breaks/,/^contexts/p'
	tr-match --bins p.elf run.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
}
show 0 2 1
for lacks in 0 8; do
	show $lacks 0 1
	show $lacks 0 0
	show $lacks 2 0
	show $lacks 2 2
	show $lacks 0 2
done
# Without instructions, and with traps or without
show 32 1 1
show 32 0 1
show 32 2 0
show 36 0 0

# Lanes that are swapped are no interrupts.
commits 2 1 | sed 'N; s/\(.*\)\n\(.*\)/\2\n\1/' | "$BIN/../tests/commits" swapped.tr
tr-capture swapped.tr > copy.tr
echo "swapped lanes: status $?"
# A handler that never returns is none.
commits 0 1 | sed '/0x30200073/d' > lost
for i in {1..8}; do cat lost; done | sed '1!{/0x1000 /d}' | "$BIN/../tests/commits" lost.tr
tr-capture lost.tr > copy.tr
echo "no mret: status $?"
tr-info --check lost.tr | awk '/^breaks/, /^contexts/ { if ($6 > 1) print }'
# A signal that is always 1, or for all of the handler, is no trap where control only goes on.
for stuck in '' '0x\(101c\|1020\) '; do
	commits 2 1 | sed "/^$stuck/s/.\$/1/" | "$BIN/../tests/commits" stuck.tr
	tr-capture stuck.tr > copy.tr
	echo "stuck intr: status $?"
	tr-info --check stuck.tr | sed -n '/^breaks/,/^contexts/p'
	tr-match --bins p.elf stuck.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
done
# Writes of sp: right, of another value, of another lane, and missing
told='s/\(ff010113\) 0 0/\1 2 0x8ff0/;s/\(01010113\) 0 0/\1 2 0x90'
for damage in "${told}00/" "${told}10/" 's/^\(0x1010 .*\) 0 0 /\1 2 0x8ff0 /' 's/fff50513 0/00012103 0/'; do
	commits 2 1 | sed "$damage" | "$BIN/../tests/commits" sp.tr
	tr-capture sp.tr > copy.tr
	echo "sp by $damage: status $?"
	tr-info --check sp.tr | sed -n '/^breaks/,/^contexts/p'
done
# pc_wdata that is always the next address in order
commits 0 1 | awk '{ $2 = sprintf("0x%x", 4100 + (index("00 04 08 0c 10 14 18 1c 20", substr($1, 5)) - 1) / 3 * 4); print }' |
	"$BIN/../tests/commits" order.tr
tr-capture order.tr > copy.tr
echo "pc_wdata in order: status $?"
# A return that leads to a known handler is an interrupt.
commits 0 0 | sed '/^0x1018 /a 0x101c 0x0 0x00158593 0 0 0\n0x1020 0x0 0x30200073 0 0 0' | "$BIN/../tests/commits" return.tr
tr-info --check return.tr | sed -n '/^breaks/,/^contexts/p'
tr-match --bins p.elf return.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
# An illegal instruction that trapped, from a core that does not tell its traps
echo '0x1000 0x1004 0xffffffff 0 0 0' | "$BIN/../tests/commits" illegal.tr || echo "illegal: status $?"
# pc_wdata that is the handler's address where an interrupt follows
commits 2 1 | awk 'NR > 1 { if ($1 == "0x101c") sub(/ 0x[0-9a-f]+/, " 0x101c", last); print last } { last = $0 } END { print last }' |
	"$BIN/../tests/commits" handler.tr
tr-info --check handler.tr | sed -n '/^breaks/,/^contexts/p'
tr-match --bins p.elf handler.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
# The number of a floating-point register is not that of sp.
commits 2 1 | sed 's/fff50513 0 0/00012107 2 0x1234/' | "$BIN/../tests/commits" float.tr
tr-text float.tr | grep -c -e '^reg x2' -e '^break' || true
