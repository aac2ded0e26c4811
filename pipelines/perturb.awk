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
	print "M cycles without and with the tool, from the start of the program to its end; parts of the change in % of those without"
	printf "%-7s %8s %8s %6s %15s %13s %9s %7s %7s", "tool", "without", "with", "ratio", "M instructions", "CPI", "new code", "number", "CPI"
	for (i = 1; i <= ngroups; i++) printf " %8s", groups[i]
	print ""
	for (t = 1; t <= ntools; t++) {
		tool = tools[t]
		before = value[tool, "before_cycles"]; after = value[tool, "after_cycles"]
		printf "%-7s %8.1f %8.1f %6.2f %5.1f to %6.1f %4.2f to %5.2f", tool, before / 1e6, after / 1e6, after / before, \
			before / value[tool, "before_cpi"] / 1e6, after / value[tool, "after_cpi"] / 1e6, \
			value[tool, "before_cpi"], value[tool, "after_cpi"]
		number = value[tool, "by_instructions_cycles"]; cpi = value[tool, "by_cpi_cycles"]
		printf " %9s %7s %7s", percent(added[tool], before), percent(number - added[tool], before), percent(cpi, before)
		sum = number + value[tool, "by_not_traced_cycles"]
		for (i = 1; i <= ngroups; i++) { printf " %8s", percent(by[tool, groups[i]], before); sum += by[tool, groups[i]] }
		print ""
		if (number + cpi != after - before || sum != after - before) {
			print "perturb: the parts do not add up" > "/dev/stderr"
			exit 1
		}
	}
	for (t = 1; t <= ntools; t++) printf "%s says: %s\n", tools[t], says[tools[t]]
	exit ntools == 0
}
