# SPDX-License-Identifier: Apache-2.0
# Table 5.6 of the thesis, the overhead of the run-time profiler with five programs at the same time, on
# the hardware: awk -v times=N -f thesis-change.awk -f thesis-daemon.awk -f thesis-5.6.awk FILE...; of
# HARTS of one and two
#     together-all-process-HARTS.diff, -all-global-HARTS.diff    tr-diff --tma from the run without
#     together-base-HARTS.functions, -all-process-HARTS.functions, -all-global-HARTS.functions
# Periods are those of the thesis divided by `times`.

BEGIN { nmodes = split("all-process all-global base", mode_names, " ") }
END {
	printf "Five programs at the same time, with all of the profiler; its periods are those of the thesis divided by %d. M cycles from\n", times
	print "the start of the first to the end of the last, and % more per process and global. Computed, per process: % more at the thesis's"
	print "own periods, with interrupts, reads and updates divided again; and of long runs, without what the daemon does once for each"
	print "program. Out of band, by the trace, which is of both runs: 0. Published, on one core: 92.32 s; per process 92.89 s, global 93.04 s"
	printf "%-12s %9s %8s %8s %9s %9s %11s  %s\n", "harts", "M cycles", "process", "global", "computed", "long run", "out of band", "published"
	for (h = 1; h <= 2; h++) {
		before = cycles_before("together", "all-process", h)
		printf "%-12d %9.2f %8s %8s %9s %9s %11s  %s\n", h, before / h / 1e6, change_percent("together", "all-process", h), \
			change_percent("together", "all-global", h), percent(unscaled_change("together", "all-process", h), before), \
			percent(long_change("together", "all-process", h), before), "0", h == 1 ? "+0.62 / +0.78, both < 1 %" : "- (one core there)"
	}
	print ""
	print_change_header()
	for (h = 1; h <= 2; h++) for (m = 1; m <= 2; m++) print_change("together", mode_names[m], h, h " " substr(mode_names[m], 5))
	print "On two harts, the idle loop is entered more often: that is in number, and with the other sign in CPI and idle"
	print ""
	print_daemon_header()
	for (h = 1; h <= 2; h++) for (m = 1; m <= 2; m++) print_daemon("together", mode_names[m], h, h " " substr(mode_names[m], 5))
	exit failed || !nprograms
}
