# SPDX-License-Identifier: Apache-2.0
# From the tables of `tr-report tma`, one line per file: shares of the top level,
# the class that lost most cycles, and its share of all lost cycles.

function finish()
{
	if (name == "")
		return
	lost = all - value["retiring"]
	printf "%-13s %9d %6.3f %9.1f %9.1f %9.1f %8.1f %6.1f %6.1f   %-21s %5.1f\n", name,
		all / width, all / width / value["retiring"], share("retiring"), share("frontend"),
		share("bad speculation"), share("memory"), share("core"), share("idle"),
		most ? worst : "-", lost ? 100 * most / lost : 0
}

function share(what)
{
	return 100 * value[what] / all
}

BEGIN {
	printf "%-13s %9s %6s %9s %9s %9s %8s %6s %6s   %-21s %5s\n", "benchmark", "cycles",
		"CPI", "retiring", "frontend", "bad spec.", "memory", "core", "idle",
		"most lost for", "% lost"
}

FNR == 1 {
	finish()
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	delete value
	delete sum
	part = most = 0
	width = 1
}
/^$/ { part = 1; next }
# Cycles, share, CPI and the name of a group or class, indented by level; a group with a
# single class has its name behind a colon.
part == 0 && FNR > 1 {
	cycles = $1
	sub(/^ *[0-9]+ +[0-9.]+ +[0-9.]+ +/, "")
	sub(/: .*/, "")
	value[$0] = cycles
	if ($0 == "all")
		all = cycles
}
part == 1 {
	sub(/^ +/, "")
	columns = split($0, column, /  +/)
	part = 2
	next
}
# Of a core of several slots in a cycle the values are slots.
match($0, / slots \([0-9]+ a cycle/) { width = substr($0, RSTART + 8) + 0 }
part == 2 && !/ % of / {
	for (i = 1; i <= columns; i++)
		if (column[i] ~ /\./ && (sum[i] += $i) > most) {
			most = sum[i]
			worst = column[i]
		}
}
END { finish() }
