# SPDX-License-Identifier: Apache-2.0
# A probe is hit where a function goes on after a value has changed: in each of its calls on
# its own, also when one within it has ended, or was left by longjmp. entry() is what a value
# was when the call began.
printf '%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' \
	'li t0, 0x100000' 'li t1, 0x5555' 'sw t1, (t0)' '1: j 1b' > start.S
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o tiny.elf start.S "$SRC/tests/interpreters/tiny.c" || exit
soc-model --trace run.tr tiny.elf > counted
tr-replay --probe 'begin: tiny:run { of = str(first->of->name) } end: tiny:run:return { of = str(first->of->name) }
	now: tiny:run:changed(state->now) {
		of = str(state->now->of->name); first = str(first->of->name); as_before = state->now == entry(state->now); since = entered
	}' run.tr tiny.elf > all
cut -d' ' -f 4- all | sed 's/ since=.*//' > hits
# It is that of the call that runs, not of another one that has ended, and had its sp in this one's frame.
awk '$4 == "begin" { last = $1 } $4 == "now" && $6 == "first=\"less\"" { n++; if ($NF != "since=" last) print "entered in", last, "not", $NF } END { print n, "in less" }' all
wc -l < hits
grep -c as_before=1 hits
grep -n 'fails\|inner' hits
# It watches nothing where a value cannot be read.
tr-replay --probe 'never: tiny:run:changed(*(long *)0) { }' run.tr tiny.elf
for wrong in 'tiny:run:changed { }' 'tiny:run:changed(state->now) / 1 / { }' 'tiny:run:changed(*state) { }' 'tiny:run { was = entry(state->now) }' 'tiny:*:changed(1) { }'; do
	tr-replay --probe "wrong: $wrong" run.tr tiny.elf 2>&1 || echo "status $?"
done
