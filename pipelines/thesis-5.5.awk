# SPDX-License-Identifier: Apache-2.0
# Table 5.5 of the thesis, the overhead of the whole run-time profiler, for our programs on the hardware:
# awk -v times=N -f thesis-change.awk -f thesis-daemon.awk -f thesis-5.5.awk FILE...; of each PROGRAM
#     PROGRAM-all-process-1.diff, -all-global-1.diff    tr-diff --tma from the run without
#     PROGRAM-base-1.functions, -all-process-1.functions, -all-global-1.functions
#     PROGRAM-all-process-1.costs                       count-entries --costs
#     PROGRAM-gprof.diff, -process.diff                 of table 5.1
# Periods are those of the thesis divided by `times`.

BEGIN {
	nmodes = split("all-process all-global base gprof process", mode_names, " ")
	# Seconds without, and % per process and global; "C" is the paper in appendix C.
	published["multiply"] = "9.681 s: 4.75 / 4.45"
	published["kernels-O2"] = "coremark 12.496 s: 1.26 / 1.27"
	published["denoise"] = "tcf 7.083 s: <1 / <1"
	published["x264"] = "h264enc 40.774 s: <1 / <1"
	published["minisat"] = "minisat2 29.099 s: <1 / <1"
	published["djpeg"] = "C: 2.269 s: <1 / -"
}
kind == "costs" && $1 == program {
	counted[program] += $3
	costs[program] = costs[program] sprintf("%-12s %-5s %10d %8.2f %6d %6d %6d\n", program, $2, $3, $4 / $3, $5, $6, $7)
}
END {
	printf "Calls counted, sampler and daemon; the periods are those of the thesis divided by %d, so that the sampler and the data\n", times
	print "thread cost as much more. M cycles from the start of the program to its end, and % more with gprof and with calls alone, both"
	print "of table 5.1, where some runs are shorter; with all, per process and global. Computed, per process: % more at the thesis's own"
	print "periods, with interrupts, reads and updates divided again; and of a long run, without what the daemon does once for a program."
	print "Out of band, by the trace, which is of both runs: 0. Published: seconds, and % per process and global"
	printf "%-12s %10s %9s %8s %8s %8s %8s %9s %9s %11s  %s\n", "program", "calls", "M cycles", "gprof", "calls", "process", "global", \
		"computed", "long run", "out of band", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		before = cycles_before(program, "all-process", 1)
		printf "%-12s %10d %9.2f %8s %8s %8s %8s %9s %9s %11s  %s\n", program, counted[program], before / 1e6, \
			change_percent(program, "gprof", 1), change_percent(program, "process", 1), change_percent(program, "all-process", 1), \
			change_percent(program, "all-global", 1), percent(unscaled_change(program, "all-process", 1), before), \
			percent(long_change(program, "all-process", 1), before), "0", program in published ? published[program] : "- (not in the thesis)"
		if (!counted[program]) fail(program ": no calls were counted")
	}
	print ""
	print_change_header()
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= 2; m++) print_change(programs[p], mode_names[m], 1, substr(mode_names[m], 5))
	print ""
	print_daemon_header()
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= 2; m++) print_daemon(programs[p], mode_names[m], 1, substr(mode_names[m], 5))
	print ""
	print "Cycles that counting costs a call, per process, while the program is sampled: the mean, the least, the median and the most"
	printf "%-12s %-5s %10s %8s %6s %6s %6s\n", "program", "entry", "calls", "mean", "least", "median", "most"
	for (p = 1; p <= nprograms; p++) printf "%s", costs[programs[p]]
	exit failed || !nprograms
}
