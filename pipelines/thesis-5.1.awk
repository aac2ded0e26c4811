# SPDX-License-Identifier: Apache-2.0
# Table 5.1 of the thesis, the overhead of counting calls, for our programs on the hardware:
# awk -f thesis-change.awk -f thesis-5.1.awk FILE...; of each PROGRAM
#     PROGRAM-gprof.diff, -process.diff, -global.diff    tr-diff --tma from the run without
#     PROGRAM-process.functions                          tr-report functions
#     PROGRAM-process.costs                              count-entries --costs
# The change is divided into the code that runs only with the profiler, stubs included, more
# instructions of other code, and their cycles per instruction; and into the groups of classes.
# In both cases the parts must be the change.

BEGIN {
	nmodes = split("gprof process global", mode_names, " ")
	# Seconds without, and % with Pin, per process, global; "C" is the paper in appendix C.
	published["multiply"] = "9.681 s: 20.30 / 4.38 / 4.25"
	published["kernels-O2"] = "coremark 12.496 s: 24.44 / 1.34 / 1.26"
	published["denoise"] = "tcf 7.083 s: 23.65 / <1 / <1"
	published["x264"] = "h264enc 40.774 s: 207.96 / <1 / <1"
	published["minisat"] = "minisat2 29.004 s: 27.79 / <1 / <1"
	published["djpeg"] = "C: 2.269 s: 40.15 / <1 / -"
}
# The injector with what the kernel does for it, and the calls that it makes the program do.
kind == "functions" && $(column["binary"]) == "prof-inject" && $(column["total_cycles"]) > injector[program] { injector[program] = $(column["total_cycles"]) }
kind == "functions" && /\[inject\]/ && $(column["total_cycles"]) > injected[program] { injected[program] = $(column["total_cycles"]) }
kind == "costs" && $1 == program {
	calls[program] += $3
	costs[program] = costs[program] sprintf("%-12s %-5s %10d %8.2f %6d %6d %6d\n", program, $2, $3, $4 / $3, $5, $6, $7)
}
END {
	print "Calls only: M cycles from the start of the program to its end, and % more with gprof, with counters per process, and"
	print "global. Of the % per process the injection has a part. Published: seconds, and % with Pin, per process, and global"
	printf "%-12s %10s %9s %8s %8s %8s %10s  %s\n", "program", "calls", "M cycles", "gprof", "process", "global", "injection", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		before = cycles_before(program, "process", 1)
		printf "%-12s %10d %9.2f", program, calls[program], before / 1e6
		for (m = 1; m <= nmodes; m++) printf " %8s", change_percent(program, mode_names[m], 1)
		printf " %10s  %s\n", percent(injector[program] + injected[program], before), program in published ? published[program] : "-"
	}
	print ""
	print_change_header()
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= nmodes; m++) print_change(programs[p], mode_names[m], 1, mode_names[m])
	print ""
	print "Cycles that counting costs a call, per process: the mean, the least, the median and the most, of all calls"
	printf "%-12s %-5s %10s %8s %6s %6s %6s\n", "program", "entry", "calls", "mean", "least", "median", "most"
	for (p = 1; p <= nprograms; p++) printf "%s", costs[programs[p]]
	exit failed || !nprograms
}
