# SPDX-License-Identifier: Apache-2.0
# The price of each tool, from the tables of tr-diff --tma: cycles, instructions, CPI; and the
# change by code that runs only with the tool, by the number of instructions of the other code,
# and by its CPI, also in each group of classes. Then what each tool says, in short:
# awk -f perturb.awk TOOL.csv... TOOL.txt...

FILENAME ~ /\.txt$/ {
	tool = FILENAME; sub(/.*\//, "", tool); sub(/\.txt$/, "", tool)
	if (sub(/^in short: /, "")) says[tool] = $0
	next
}
FNR == 1 {
	columns = split($0, key, ",")
	tool = FILENAME; sub(/.*\//, "", tool); sub(/\.csv$/, "", tool)
	tools[++ntools] = tool
	for (i = 1; i <= columns; i++) column[key[i]] = i
	next
}
{ split($0, cell, ",") }
cell[columns] == "function" && cell[column["before_cycles"]] == 0 { added[tool] += cell[column["change_cycles"]] }
cell[columns] == "all" {
	for (i = 1; i <= columns; i++) {
		value[tool, key[i]] = cell[i]
		if (match(key[i], /^by_[a-z]+\./)) {
			group = substr(key[i], 4, RLENGTH - 4)
			if (!(group in is_group)) { is_group[group]; groups[++ngroups] = group }
			by[tool, group] += cell[i]
		}
	}
}
function percent(part, whole) { return sprintf("%+.1f", 100 * part / whole) }
END {
	print "price of the tools, from the start of the program to its end; changes in percent of the cycles without"
	printf "%-7s %12s %12s %6s %17s %14s %9s %8s %8s", "tool", "without", "with", "ratio", "M instructions", "CPI", "new code", "number", "CPI"
	for (i = 1; i <= ngroups; i++) printf " %9s", groups[i]
	print ""
	for (t = 1; t <= ntools; t++) {
		tool = tools[t]
		before = value[tool, "before_cycles"]; after = value[tool, "after_cycles"]
		printf "%-7s %12d %12d %6.2f %7.1f to %6.1f %5.2f to %5.2f", tool, before, after, after / before, \
			before / value[tool, "before_cpi"] / 1e6, after / value[tool, "after_cpi"] / 1e6, \
			value[tool, "before_cpi"], value[tool, "after_cpi"]
		number = value[tool, "by_instructions_cycles"]; cpi = value[tool, "by_cpi_cycles"]
		printf " %9s %8s %8s", percent(added[tool], before), percent(number - added[tool], before), percent(cpi, before)
		sum = number + value[tool, "by_not_traced_cycles"]
		for (i = 1; i <= ngroups; i++) { printf " %9s", percent(by[tool, groups[i]], before); sum += by[tool, groups[i]] }
		print ""
		if (number + cpi != after - before || sum != after - before) {
			print "perturb: the parts do not add up" > "/dev/stderr"
			exit 1
		}
	}
	for (t = 1; t <= ntools; t++) printf "%s says: %s\n", tools[t], says[tools[t]]
	exit ntools == 0
}
