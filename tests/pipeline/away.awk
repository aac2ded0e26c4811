# SPDX-License-Identifier: Apache-2.0
# Compares the cycles in which threads were away: those in the calls of each function, by the CSV
# of `tr-report functions --assert 'FUNCTION.away >= 0' ...`, with those of the stacks of `tr-fold
# --off-cpu` that have it. They are equal for functions whose calls have all ended, and were all
# entered before a trap: a thread can be away in a function whose first instruction a trap
# precedes, which is no call yet. For the others there are at least those of the calls.
#
#   awk -f away.awk waits.folded assertions.csv
function fail(text) { print "away: " text; failed = 1 }
FNR == NR {
	cycles = $NF
	sub(/ [0-9]+$/, "")
	if (/;\[at the end\];/ || !sub(/;\[(blocked|runnable|preempted|unknown reason|idle task|blocked or runnable)\].*/, "")) next
	depth = split($0, frame, ";")
	for (i = 1; i <= depth; i++) {
		sum[frame[i]] += cycles
		if (i < depth && frame[i + 1] ~ /^\[/) interrupted[frame[i]] = 1
	}
	next
}
FNR == 1 { for (i = split($0, key, ","); i > 0; i--) column[key[i]] = i; next }
{
	split($0, cell, ",")
	if (cell[column["table"]] != "assertions" || cell[column["unfinished"]]) next
	name = cell[column["function"]]
	calls = cell[column["value"]] + 0
	if (sum[name] < calls || (!(name in interrupted) && sum[name] != calls))
		fail(name ": " calls " cycles in calls, " sum[name] + 0 " on stacks")
	else if (calls && sum[name] == calls)
		equal++
}
END {
	if (equal < at_least) fail(equal + 0 " functions are equal, expected at least " at_least)
	exit failed
}
