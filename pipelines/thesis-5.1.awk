# SPDX-License-Identifier: Apache-2.0
# Table 5.1 of the thesis, the overhead of counting calls, for our programs on the hardware:
# awk -f thesis-5.1.awk FILE...; of each PROGRAM
#     PROGRAM-gprof.diff, -process.diff, -global.diff    tr-diff --tma from the run without
#     PROGRAM-process.functions                          tr-report functions
#     PROGRAM-process.costs                              count-entries --costs
# The change is divided into the code that runs only with the profiler, stubs included, more
# instructions of other code, and their cycles per instruction; and into the groups of classes.
# In both cases the parts must be the change.

BEGIN {
	FS = ","
	nmodes = split("gprof process global", modes, " ")
	# Seconds without, and % with Pin, per process, global; "C" is the paper in appendix C.
	published["multiply"] = "9.681 s: 20.30 / 4.38 / 4.25"
	published["kernels-O2"] = "coremark 12.496 s: 24.44 / 1.34 / 1.26"
	published["denoise"] = "tcf 7.083 s: 23.65 / <1 / <1"
	published["x264"] = "h264enc 40.774 s: 207.96 / <1 / <1"
	published["minisat"] = "minisat2 29.004 s: 27.79 / <1 / <1"
	published["djpeg"] = "C: 2.269 s: 40.15 / <1 / -"
}
FNR == 1 {
	columns = split($0, key, ",")
	split("", column)
	for (i = 1; i <= columns; i++) column[key[i]] = i
	name = FILENAME; sub(/.*\//, "", name)
	kind = name; sub(/.*\./, "", kind); sub(/\.[a-z]*$/, "", name)
	mode = name; sub(/.*-/, "", mode)
	program = name; sub(/-[a-z]*$/, "", program)
	if (!(program in known)) { known[program]; programs[++nprograms] = program }
	next
}
# Names may have commas in quotes: these columns are counted from the end.
kind == "diff" && $NF == "function" && $(column["before_cycles"]) == 0 { added[program, mode] += $(column["change_cycles"]) }
kind == "diff" && $NF == "all" {
	for (i = 1; i <= columns; i++) {
		value[program, mode, key[i]] = $i
		if (match(key[i], /^by_[a-z]+\./)) {
			group = substr(key[i], 4, RLENGTH - 4)
			if (!(group in is_group)) { is_group[group]; groups[++ngroups] = group }
			by[program, mode, group] += $i
		}
	}
}
# The injector with what the kernel does for it, and the calls that it makes the program do.
kind == "functions" && $(column["binary"]) == "prof-inject" && $(column["total_cycles"]) > injector[program] { injector[program] = $(column["total_cycles"]) }
kind == "functions" && /\[inject\]/ && $(column["total_cycles"]) > injected[program] { injected[program] = $(column["total_cycles"]) }
kind == "costs" && $1 == program {
	calls[program] += $3
	costs[program] = costs[program] sprintf("%-12s %-5s %10d %8.2f %6d %6d %6d\n", program, $2, $3, $4 / $3, $5, $6, $7)
}
function percent(part, whole) { return sprintf("%+.2f", 100 * part / whole) }
function check_sums(program, mode,	i, sum) {
	sum = value[program, mode, "by_instructions_cycles"] + value[program, mode, "by_cpi_cycles"]
	if (sum != value[program, mode, "change_cycles"]) wrong = 1
	sum = value[program, mode, "by_instructions_cycles"] + value[program, mode, "by_not_traced_cycles"]
	for (i = 1; i <= ngroups; i++) sum += by[program, mode, groups[i]]
	if (sum != value[program, mode, "change_cycles"]) wrong = 1
}
END {
	print "Calls only: M cycles from the start of the program to its end, and % more with gprof, with counters per process, and"
	print "global. Of the % per process the injection has a part. Published: seconds, and % with Pin, per process, and global"
	printf "%-12s %10s %9s %8s %8s %8s %10s  %s\n", "program", "calls", "M cycles", "gprof", "process", "global", "injection", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		before = value[program, "process", "before_cycles"]
		printf "%-12s %10d %9.2f", program, calls[program], before / 1e6
		for (m = 1; m <= nmodes; m++) printf " %8s", percent(value[program, modes[m], "change_cycles"], before)
		printf " %10s  %s\n", percent(injector[program] + injected[program], before), program in published ? published[program] : "-"
	}
	print ""
	print "The change, in % of the cycles without: by code that is only there with it, by the number of instructions of the other"
	print "code, and by its cycles per instruction; and by number, all code, and classes. CPI without and with"
	printf "%-12s %-8s %8s %8s %8s %12s", "program", "mode", "new code", "number", "CPI", "CPI"
	for (i = 1; i <= ngroups; i++) printf " %8s", groups[i]
	print ""
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= nmodes; m++) {
		program = programs[p]; mode = modes[m]
		before = value[program, mode, "before_cycles"]
		if (before == "") { print "thesis: " program ": no difference of " mode > "/dev/stderr"; exit 1 }
		printf "%-12s %-8s %8s %8s %8s %5.3f %6.3f", program, mode, percent(added[program, mode], before), \
			percent(value[program, mode, "by_instructions_cycles"] - added[program, mode], before), \
			percent(value[program, mode, "by_cpi_cycles"], before), value[program, mode, "before_cpi"], value[program, mode, "after_cpi"]
		for (i = 1; i <= ngroups; i++) printf " %8s", percent(by[program, mode, groups[i]], before)
		print ""
		check_sums(program, mode)
	}
	print ""
	print "Cycles that counting costs a call, per process: the mean, the least, the median and the most, of all calls"
	printf "%-12s %-5s %10s %8s %6s %6s %6s\n", "program", "entry", "calls", "mean", "least", "median", "most"
	for (p = 1; p <= nprograms; p++) printf "%s", costs[programs[p]]
	if (wrong) print "thesis: the parts do not add up" > "/dev/stderr"
	exit wrong || !nprograms
}
