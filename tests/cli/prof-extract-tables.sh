# SPDX-License-Identifier: Apache-2.0
# Live registers at indirect jumps: where the table of a jump is known, only its targets
# matter; else all targets of tables in the function do.
. "$SRC/tests/cli/prof-extract.inc"

# jump TABLE REGISTER: to an entry of a table of distances.
jump() { printf 'lla %s, %s\nslli a4, a0, 2\nadd a4, a4, %s\nlw a4, 0(a4)\nadd a4, a4, %s\njr a4\n' "$2" "$1" "$2" "$2"; }
# two NAME CODE...: a function with two tables: the targets of the second one read t0, which
# is written before. The code is what the first jump is.
two() {
	printf 'function %s\n%s\n.L%s1: li t0, 1\n%s\n.L%s2: add a0, a0, t0\nret\ndone_ %s\n' \
		"$1" "$2" "$1" "$(jump ".Ltable_$1_2" a5)" "$1" "$1"
	printf '.section .rodata\n.align 2\n.Ltable_%s_1: .word .L%s1 - .Ltable_%s_1\n' "$1" "$1" "$1"
	printf '.Ltable_%s_2: .word .L%s2 - .Ltable_%s_2\n.text\n' "$1" "$1" "$1"
}
{
	echo "$macros"
	two known "$(jump .Ltable_known_1 a5)"
	# The address is in a register since before a label.
	two not_known "$(jump .Ltable_not_known_1 a5 | sed 's/^slli/beqz a1, 1f\n1: slli/')"
	two known_sum "$(jump .Ltable_known_sum_1 a5 | sed 's/add a4, a4, a5/add a4, a5, a4/')"
	two read_at_once "$(jump .Ltable_read_at_once_2 a5)"
	printf 'function begin\naddi a0, a0, 1\nj begin\ndone_ begin\n'
} > a.s
program a.elf < a.s
prof-extract --list a.elf | cut -d , -f 1,4
