# SPDX-License-Identifier: Apache-2.0
# Limits on logs whose harts are not in order: the instructions are those that come first by
# (cycle, hart) of all that the log has, and each hart that began lasts to the limit of
# cycles.
tokens() { tr-text --tokens "$1" | sed -n 's/^token \([^ ]*\) .* hart=\([0-9]*\) cycle=\([0-9]*\) .*/\3 \2 \1/p' | sort -n -k 1,1 -k 2,2 -s; }
spike() { # HART FIRST LAST
	for ((i = $2; i <= $3; i++)); do printf 'core   %d: 3 0x%016x (0x00000013)\n' "$1" $((0x80000000 + 0x1000 * $1 + 4 * i)); done
}
{ spike 0 1 10; spike 1 1 10; spike 0 11 20; spike 1 11 20; spike 0 21 30; spike 1 21 27; } > two.log
{ spike 2 1 40; spike 0 1 5; spike 7 1 30; spike 0 6 100; spike 1 1 3; } > four.log
for log in two four; do
	tr-capture -o whole.tr $log.log
	tokens whole.tr > whole
	for n in 0 1 2 7 24 25 56 57 58 120 178; do
		tr-capture --max-instructions $n -o a.tr $log.log
		tokens a.tr | cmp - <(head -n $n whole) || echo "$log: $n instructions"
		tr-capture --max-cycles $n -o a.tr $log.log
		tokens a.tr | cmp - <(awk -v n=$n '$1 <= n' whole) || echo "$log: $n cycles"
		tr-text a.tr | grep '^end \(end\|cycles\)' | tr '\n' ' '
	done
	echo
done
# The same with times, in a pipe, and a hart that begins behind the limit of another.
rocket() { printf 'C%d: %10d [1] pc=[%016x] inst=[00000013] DASM(00000013)\n' "$1" "$2" $((0x80000000 + 4 * $2)); }
{ rocket 0 1; rocket 1 1000; rocket 0 1001; } > late.log
for n in 0 1 10 999 1000 1001 2000 100000000G; do
	tr-capture --max-cycles $n -o a.tr late.log
	tr-text --tokens a.tr | grep -E '^(token|gap|hart|end end)' | sed 's/ satp=.*//'
	tr-capture --from rocket --max-cycles $n < late.log | tr-text --tokens | grep -v pg= | cmp - <(tr-text --tokens a.tr | grep -v pg=)
done
# What an instruction wrote, and a trap before the next one, stay with it.
cat > events.log << 'END'
core   0: 3 0x0000000080000000 (0x00016117) x2  0x0000000080016000
core   0: 3 0x0000000080000004 (0x18029073) c384_satp 0x8000000000080202
core   0: exception trap_load_page_fault, epc 0x0000000080000008
core   0:           tval 0x0000000000000010
core   1: 1 0x0000000080001000 (0x00016117) x2  0x0000000080026000
core   0: 1 0x0000000080000100 (0x00008067)
END
for n in 1 2 3 4; do
	tr-capture --max-instructions $n -o a.tr events.log
	tr-text --tokens a.tr | grep -E '^(token|reg|satp|trap|priv|end end)' | sed 's/ satp=.*//'
done
# An error behind the limit is none.
{ spike 0 1 10; echo '!'; } > bad.log
tr-capture --max-instructions 9 -o a.tr bad.log
echo "status $?"
tr-capture --max-instructions 11 -o a.tr bad.log
echo "status $?"
# A hart's first line that comes much later than a limit of the others is not waited for: a
# simulator that does not end is ended. A log in the order of time is not read on.
timeout 60 awk 'BEGIN { for (;;) print "core   0: 3 0x0000000080000000 (0x0000006f)" }' |
	tr-capture --from spike --max-instructions 10 -o a.tr -
tr-text a.tr | grep '^end i'
timeout 60 awk 'BEGIN { for (i = 1;; i++) print "Cycle: " i " I0: 0000000080000000" }' |
	tr-capture --from tracerv --max-cycles 10 -o a.tr -
tr-text a.tr | grep '^end i'
# Stacks have cycles, but no instructions.
cp "$SRC/tests/cli/data/logs/tracerv-stacks.log" .
log=tracerv-stacks.log
for n in 0 1 20; do
	tr-capture --max-cycles $n -o a.tr "$log" 2> warning
	tr-info a.tr | grep -m 1 '^  cycles  '
done
tr-capture --max-instructions 3 -o a.tr "$log"
echo "status $?"
