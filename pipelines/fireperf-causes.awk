# SPDX-License-Identifier: Apache-2.0
# Reads tr-diff --tma of a machine's stacks: which functions take fewer or more cycles after a
# step, through another number of instructions or another CPI, and what is left of them. The
# time in which a hart waits is left out. last-column.awk precedes it. Variable: title.
function columns(name, before, after, instructions, cpi, rate) {
	printf "    %-50s %8.1f %8.1f %16.1f %8.1f %11s\n", name, before, after, instructions, cpi, rate
}
NR == 1 {
	if ($1 != "before") exit 1
	sub(/^ +/, "")
	last = split($0, heading, /  +/)
	printf "  Million cycles, %s (tr-diff --tma, while data pass):\n", title
	printf "    %-50s %8s %8s %16s %8s %11s\n", "", "before", "after", "by instructions", "by CPI", "CPI after"
	next
}
/arch_cpu_idle/ {
	for (i = 1; i <= 5; i++) idle[i] = $i
	next
}
$NF == "all" {
	for (i = 1; i <= 5; i++) $i -= idle[i]
	columns("all but idle", $1 / 1e6, $2 / 1e6, $4 / 1e6, $5 / 1e6, "")
	next
}
{ columns(last_column(last), $1 / 1e6, $2 / 1e6, $4 / 1e6, $5 / 1e6, sprintf("%.2f", $7)) }
END {
	if (NR < 2) {
		print "fireperf: tr-diff found no difference" > "/dev/stderr"
		exit 1
	}
}
