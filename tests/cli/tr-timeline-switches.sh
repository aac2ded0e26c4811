# SPDX-License-Identifier: Apache-2.0
# How long the kernel takes from the last instruction of one task to the first of the next one.
# A program states that, by mcycle on both sides of its switches, ten times for each of four
# tasks: two that go to each other by a call, and two by an ecall, whose handler calls pick(),
# which the program measures as well. What it states has two instructions more than the table,
# the call or ecall behind the first read of mcycle, and the second read; tr-annotate tells the
# cycles that they took. The tables are the same to the cycle.
cat > app.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	la	t0, handler
	csrw	mtvec, t0
	li	t6, 0
	la	a0, boot
	la	a1, tasks
	j	jump
	.text
	.macro	function name
	.globl	\name
	.type	\name, @function
\name:
	.endm
	.macro	saved op
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 8 + 8 * \n(sp)
	.endr
	\op	ra, 0(sp)
	.endm
	function jump		# jump(from, to)
	addi	sp, sp, -112
	saved	sd
	sd	sp, (a0)
	ld	sp, (a1)
	saved	ld
	addi	sp, sp, 112
	ret
	.size	jump, . - jump
	.balign	4
	function handler	# of an ecall with from and to
	addi	sp, sp, -128
	saved	sd
	csrr	t0, mepc
	addi	t0, t0, 4
	sd	t0, 112(sp)
	sd	sp, (a0)
	csrr	t3, mcycle
	jal	ra, pick
	csrr	t4, mcycle
	sub	a3, t4, t3
resume:	ld	sp, (a1)
	ld	t0, 112(sp)
	csrw	mepc, t0
	li	t0, 0x1800
	csrs	mstatus, t0
	saved	ld
	addi	sp, sp, 128
	mret
	.size	handler, . - handler
	function pick		# longer from the fourth task to the third
	lw	t0, (a0)
	lw	t1, (a1)
	bltu	t0, t1, 1f
	.rept	10
	nop
	.endr
1:	ret
	.size	pick, . - pick
	function state		# state(task, cycles, cycles of pick)
	ret
	.size	state, . - state
	# t6: when the hart left the other task, 0 if it did not
	.macro	task name, from, to, leave, end
	function \name
	csrr	t5, mcycle
	li	s0, 10
	beqz	t6, 2f
1:	li	a0, \from
	sub	a1, t5, t6
	mv	a2, a3
	call	state
	beqz	s0, 3f
2:	addi	s0, s0, -1
	la	a0, tasks + 8 * \from
	la	a1, tasks + 8 * \to
	csrr	t6, mcycle
	\leave
	csrr	t5, mcycle
	j	1b
3:	li	t6, 0
	\end
	.size	\name, . - \name
	.endm
	task	first, 0, 1, "jal ra, jump", "la a1, tasks + 16; j resume"
	task	second, 1, 0, "jal ra, jump", "j ."
	task	third, 2, 3, ecall, "li t0, 0x100000; li t1, 0x5555; sw t1, (t0)"
	task	fourth, 3, 2, ecall, "j ."
	.data
	.balign	16
	.macro	stack name, entry, size, pc
	.skip	1024
\name:	.dword	\entry
	.skip	\size - 16
	.dword	\pc
	.endm
	stack	stack_0, first, 112, 0
	stack	stack_1, second, 112, 0
	stack	stack_2, 0, 120, third
	.dword	0
	stack	stack_3, 0, 120, fourth
	.dword	0
tasks:	.dword	stack_0, stack_1, stack_2, stack_3
boot:	.dword	0
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -g -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf app.S
# sum_up FUNCTION...: the cycles of what is between a read and the measured part.
sum_up() {
	for function; do tr-annotate --format csv "$function" matched.tr; done | sed 's/"\([^,"]*\),[^"]*"/\1/' | awk -F, '
		before ~ /^csrr t[36]/ || ($5 ~ /^csrr t[45]/ && !($4 == $3 && $2 ~ /first|third/)) { sum += $11 }
		{ before = $5 }
		END { print sum + 0 }'
}
# compare BY TASKS BETWEEN PICK: what tasks state has so many cycles more than the table has.
compare() {
	awk -v by="$1" -v tasks="$2" -v between="$3" -v pick="$4" '
		FNR == NR { if (index(tasks, $1)) { n++; cycles += $2; called += $3 } next }
		{ split($0, cell, ",") }
		cell[8] == by { m += cell[1]; sum += cell[2]; inner += cell[3] }
		END {
			if (n == 20 && m == n && cycles == sum + between && called == inner + pick)
				print by ": the table has what the program states"
			else
				print by ": stated", n, cycles, called, "in the table", m, sum, inner, "between", between, pick
		}' stated table.csv
}
# try SIMULATOR
try() {
	echo "# $1"
	"$1" --max-instructions 100k --trace run.tr app.elf
	tr-match --bins app.elf -o matched.tr run.tr
	tr-unwind -o stacks.tr matched.tr
	tr-replay --probe 'state: app:state { task = reg("a0"); cycles = reg("a1"); pick = reg("a2") }' run.tr app.elf |
		sed 's/.* task=\(.*\) cycles=\(.*\) pick=/\1 \2 /' > stated
	tr-timeline --table switches --format csv stacks.tr > table.csv
	compare jump 01 "$(sum_up first second)" 0
	compare '[ecall]' 23 "$(sum_up third fourth)" "$(sum_up handler)"
}
try soc-sim
try soc-model
echo '# of the model, whose instructions take a cycle each'
sort stated | uniq -c
tr-timeline --table switches stacks.tr

# What a switch is, by the stacks alone. Standard input has lines THREAD CYCLES STACK [fresh],
# hart N and priv P; thread tN has tp N if it is above 9.
stream() {
	awk '
		function name(path, rest) { rest = path; sub(/.*;/, "", rest); return rest }
		function node(path, up, kind) {
			if (!path) return 0
			if (path in nodes) return nodes[path]
			up = path
			if (!sub(/;[^;]*$/, "", up)) up = ""
			up = node(up)
			kind = path == "[untraced]" ? "gap" : !up ? "program" : path ~ /\]$/ ? "trap" : path ~ /inl$/ ? "inlined" : "function"
			funcs = funcs "func f" nnodes + 0 " kind=" kind " name=\"" name(path) "\"\n"
			defs = defs "node n" nnodes + 1 " parent=n" up " func=f" nnodes + 0 "\n"
			return nodes[path] = ++nnodes
		}
		BEGIN { print "header content=stacks" }
		$1 == "hart" { rows = rows "hart " $2 "\n"; next }
		$1 == "priv" { rows = rows "scontext priv=" $2 "\n"; next }
		{
			while (nthreads + 0 <= $1) threads = threads "thread t" nthreads + 0 " name=t" nthreads + 0 (nthreads++ > 9 ? " tp=" int($1 / 2) : "") "\n"
			rows = rows "srow n" node($3) " t" $1 " cycles=" $2 " instructions=" $2 " " $4 "\n"
		}
		END { printf "%s%s%s%send end=power-off\n", funcs, defs, threads, rows }' | tr-text --encode -o s.tr
}
show() {
	echo "# $1"
	shift
	tr-timeline --table switches "$@" s.tr
}
# The tick of a timer, 40 cycles, 10 of them in the handler itself, leads to t1, which resumes in
# 7, 5 of them in a function; then the switch is a call, of 6 and 3.
stream << 'END'
priv M
0 100 p;main
0 4 p;main;[timer_interrupt];handler
0 30 p;main;[timer_interrupt];handler;tick
0 6 p;main;[timer_interrupt];handler
1 9 p;other
1 5 p;other;yield;lock
1 6 p;other;yield;lock;swap
0 2 p;main;[timer_interrupt];handler
0 5 p;main;[timer_interrupt];handler;unlock
0 50 p;main
0 4 p;main;[timer_interrupt];handler
1 3 p;other;yield;lock;swap
1 2 p;other;yield;lock
1 7 p;other
END
show 'an interrupt, and a call'
show 'what the scheduler is, is known' --scheduler yield
show 'a window that begins in a switch' --from 110
show 'a window that ends in one' --to 140
# A window that begins after a thread was left: in the scheduler, which the switch back ends; and
# in a trap, of which that is not known, while a thread is new in the other trap.
stream << 'END'
1 10 p;other
1 5 p;other;yield;lock;swap
2 10 p;third
2 3 p;third;[timer_interrupt];handler
0 10 p;main
0 5 p;main;yield;lock;swap
1 3 p;other;yield;lock;swap
1 2 p;other;yield;lock
1 9 p;other
1 4 p;other;yield;swap
2 6 p;third;[timer_interrupt];handler
2 9 p;third
END
show 'threads that were left before the window' --scheduler yield --from 29
show 'and the whole of it' --scheduler yield
# An ecall of a task in the kernel, with a function above its handler; a system call, in which the
# function on top switches; one with nothing but its handler above it; and an interrupt of a task in
# U-mode.
stream << 'END'
priv M
0 10 p;main
0 5 p;main;[ecall];handler
0 8 p;main;[ecall];handler;swap
priv U
1 10 p;other
priv M
1 5 p;other;[ecall];handler
1 20 p;other;[ecall];handler;call
1 3 p;other;[ecall];handler;call;swap
2 10 p;third;run
2 2 p;third;run;swap
priv U
3 10 p;fourth
priv M
3 5 p;fourth;[ecall];handler
2 10 p;third;run
2 1 p;third;run;swap
priv U
4 10 p;fifth
priv M
4 4 p;fifth;[timer_interrupt];handler
4 3 p;fifth;[timer_interrupt];handler;swap
3 9 p;fourth
END
show 'traps'
# A thread that has called nothing when it is left, and a scheduler with a stack of its own, which
# is entered anew.
stream << 'END'
0 10 p;main
0 3 p;main;swap
9 4 p;schedule fresh
1 10 p;other
1 3 p;other;swap
9 5 p;schedule fresh
0 2 p;main;swap
0 10 p;main
END
show 'schedulers'
# Tail calls, inlined calls, and an interrupt right after another; a thread that is left before it
# has executed anything of its own.
stream << 'END'
0 10 p;main
0 5 p;main;yield
0 6 p;main;swap fresh
1 10 p;other
1 5 p;other;[timer_interrupt];handler
1 4 p;other;[software_interrupt];handler
1 3 p;other;[software_interrupt];handler;inl
0 2 p;main;swap
1 2 p;other;[software_interrupt];handler
1 10 p;other
1 4 p;other;[timer_interrupt];handler
2 10 p;third
END
show 'what follows directly'
# Linux: from the call of __schedule until it has returned. A thread that begins another program,
# or whose tp was not known, is the same.
stream << 'END'
priv S
2 10 p;boot
21 10 p;main;[ecall];sys
21 5 p;main;[ecall];sys;schedule
21 9 p;main;[ecall];sys;schedule;__schedule
21 4 p;main;[ecall];sys;schedule;__schedule;pick
30 10 p;other
30 7 p;other;[timer_interrupt];handler
30 3 p;other;[timer_interrupt];handler;__schedule
21 6 p;main;[ecall];sys;schedule;__schedule
21 2 p;main;[ecall];sys;schedule
21 8 p;main
20 8 p;exec
END
show 'Linux'
stream << 'END'
hart 0
0 10 p;main
0 5 p;main;swap
1 10 p;other
1 5 p;other;swap
hart 1
2 12 p;third
2 6 p;third;swap
0 3 p;main;swap
0 9 p;main
0 2 p;main;swap
0 5 [untraced]
2 9 p;third
2 4 p;third;swap
0 1 p;main
0 2 p;main;swap
2 1 p;third;swap
0 3 [untraced]
2 5 p;third
END
show 'two harts, and time that was not traced'
show 'as CSV' --format csv
show 'as JSON' --format json
tr-timeline --scheduler swap -o p s.tr
echo "exit $?"
tr-timeline --table wakers --scheduler swap s.tr
echo "exit $?"
