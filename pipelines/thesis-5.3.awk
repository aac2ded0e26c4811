# SPDX-License-Identifier: Apache-2.0
# Table 5.3 of the thesis, the overhead of the sampler and the daemon, without counting calls, for our
# programs on the hardware:
# awk -v times=N -f thesis-change.awk -f thesis-daemon.awk -f thesis-5.3.awk FILE...; of each PROGRAM
#     PROGRAM-sampled-process-1.diff, -sampled-global-1.diff   tr-diff --tma from the run without
#     PROGRAM-base-1.functions, -ticked-1.functions, -sampled-process-1.functions, -sampled-global-1.functions
#     PROGRAM-normal.functions, -gprof.functions               of table 5.1
#     PROGRAM.csv                                              prof-extract --list
# Periods are those of the thesis divided by `times`. Fails if a limit is exceeded.

BEGIN {
	nmodes = split("sampled-process sampled-global base ticked normal gprof", mode_names, " ")
	# Seconds without, and with OProfile, per process, global.
	published["multiply"] = "9.681 s: 9.677 / 9.695 / 9.688"
	published["kernels-O2"] = "coremark 12.496 s: 12.510 / 12.497 / 12.495"
	published["denoise"] = "tcf 7.083 s: 7.121 / 7.124 / 7.126"
	published["x264"] = "h264enc 40.774 s: 40.838 / 41.051 / 41.034"
	published["minisat"] = "minisat2 29.004 s: 29.037 / 29.075 / 29.058"
}
END {
	printf "Sampler and daemon, calls not counted; the periods are those of the thesis divided by %d: %d Hz, samples are read each\n", times, 250 * times
	printf "%g ms, and the log of the last %g ms is written each %g ms. M cycles from the start of the program to its end, and %% more\n", \
		200 / times, 2000 / times, 1000 / times
	print "with gprof's sampling alone, which is in OProfile's place, not scaled: its signals, at 100 Hz, in its run of table 5.1; per"
	print "process; global; and out of band, by the trace, which is of both runs: 0. Published: seconds, without, with OProfile, per"
	print "process, and global, all < 1 %"
	printf "%-12s %9s %8s %8s %8s %11s  %s\n", "program", "M cycles", "gprof", "process", "global", "out of band", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%-12s %9.2f %8s %8s %8s %11s  %s\n", program, cycles_before(program, "sampled-process", 1) / 1e6, \
			percent(gprof_sampling(program), run_cycles[program, "normal", 1]), change_percent(program, "sampled-process", 1), \
			change_percent(program, "sampled-global", 1), "0", program in published ? published[program] : "- (not in the thesis)"
	}
	print ""
	print_change_header()
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= 2; m++) print_change(programs[p], mode_names[m], 1, substr(mode_names[m], 9))
	print ""
	print_daemon_header()
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= 2; m++) print_daemon(programs[p], mode_names[m], 1, substr(mode_names[m], 9))
	print ""
	print_costs()
	exit failed || !nprograms
}
