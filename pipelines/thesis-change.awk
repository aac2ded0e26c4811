# SPDX-License-Identifier: Apache-2.0
# Changes of runs of the thesis's tables: what their awk programs share. Reads files named
# PROGRAM.KIND, PROGRAM-MODE.KIND or PROGRAM-MODE-HARTS.KIND, where MODE is one of mode_names[1..nmodes]:
#     .diff        tr-diff --tma, to the run without: value[program, mode, harts, column], of all
#                  functions; by[program, mode, harts, group]; added[program, mode, harts], the
#                  cycles of functions that only the later run has
# Collects programs[1..nprograms] and groups[1..ngroups]; for the caller's rules, of other files, it
# sets `program`, `mode`, `harts` and `kind`, and column[NAME], of the names in the first line.
BEGIN { FS = "," }
FNR == 1 {
	columns = split($0, key, ",")
	split("", column)
	for (i = 1; i <= columns; i++) column[key[i]] = i
	name = FILENAME; sub(/.*\//, "", name)
	kind = name; sub(/.*\./, "", kind); sub(/\.[a-z]*$/, "", name)
	harts = 1
	if (match(name, /-[0-9]$/)) { harts = substr(name, RSTART + 1) + 0; name = substr(name, 1, RSTART - 1) }
	mode = ""
	for (i = 1; i <= nmodes; i++)
		if (substr(name, length(name) - length(mode_names[i])) == "-" mode_names[i] && length(mode_names[i]) > length(mode)) mode = mode_names[i]
	program = mode == "" ? name : substr(name, 1, length(name) - length(mode) - 1)
	if (kind != "txt" && !(program in known_program)) { known_program[program]; programs[++nprograms] = program }
	next
}
# Names may have commas in quotes: these columns are counted from the end.
kind == "diff" && $NF == "function" && $(column["before_cycles"]) == 0 { added[program, mode, harts] += $(column["change_cycles"]) }
kind == "diff" && $NF == "all" {
	for (i = 1; i <= columns; i++) {
		value[program, mode, harts, key[i]] = $i
		if (match(key[i], /^by_[a-z]+\./)) {
			group = substr(key[i], 4, RLENGTH - 4)
			if (!(group in is_group)) { is_group[group]; groups[++ngroups] = group }
			by[program, mode, harts, group] += $i
		}
	}
}
function percent(part, whole) { return sprintf("%+.2f", 100 * part / whole) }
function cycles_before(program, mode, harts) { return value[program, mode, harts, "before_cycles"] }
function change_percent(program, mode, harts) {
	return percent(value[program, mode, harts, "change_cycles"], cycles_before(program, mode, harts))
}
# The parts must be the change.
function sums_are_exact(program, mode, harts,	i, change, sum) {
	change = value[program, mode, harts, "change_cycles"]
	sum = value[program, mode, harts, "by_instructions_cycles"] + value[program, mode, harts, "by_not_traced_cycles"]
	for (i = 1; i <= ngroups; i++) sum += by[program, mode, harts, groups[i]]
	return sum == change && value[program, mode, harts, "by_instructions_cycles"] + value[program, mode, harts, "by_cpi_cycles"] == change
}
function fail(text) {
	print "thesis: " text > "/dev/stderr"
	failed = 1
}
function print_change_header(	i) {
	print "The change, in % of the cycles without: by code that is only there with it, by the number of instructions of the other"
	print "code, and by its cycles per instruction; and by number, all code, and classes. CPI without and with"
	printf "%-12s %-14s %8s %8s %8s %12s", "program", "mode", "new code", "number", "CPI", "CPI"
	for (i = 1; i <= ngroups; i++) printf " %8s", groups[i]
	print ""
}
function print_change(program, mode, harts, label,	i, before) {
	before = cycles_before(program, mode, harts)
	if (before == "") { fail(program ": no difference of " mode); return }
	printf "%-12s %-14s %8s %8s %8s %5.3f %6.3f", program, label, percent(added[program, mode, harts], before), \
		percent(value[program, mode, harts, "by_instructions_cycles"] - added[program, mode, harts], before), \
		percent(value[program, mode, harts, "by_cpi_cycles"], before), value[program, mode, harts, "before_cpi"], \
		value[program, mode, harts, "after_cpi"]
	for (i = 1; i <= ngroups; i++) printf " %8s", percent(by[program, mode, harts, groups[i]], before)
	print ""
	if (!sums_are_exact(program, mode, harts)) fail(program ": the parts of " mode " do not add up")
}
