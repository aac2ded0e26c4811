# SPDX-License-Identifier: Apache-2.0
# Tables 1 to 6 of the paper in appendix C of the thesis, for our programs on the hardware:
# awk -v times=N -f thesis-change.awk -f thesis-daemon.awk -f thesis-c.awk FILE...; of each PROGRAM
#     PROGRAM-gprof.diff, -process.diff, -normal.functions, -gprof.functions, -process.functions
#     PROGRAM-sampled-process-1.diff, -all-process-1.diff
#     PROGRAM.csv                                             prof-extract --list
# and 5.4.txt, the thesis's table 5.4, whose parts begin with the name of a program, and have after
# two lines its functions, and then what is published.
# Periods of the daemon are the thesis's divided by `times`.

BEGIN {
	nmodes = split("gprof process normal sampled-process all-process", mode_names, " ")
	name_of["multiply"] = "multiply"; name_of["kernels-O2"] = "coremark"; name_of["denoise"] = "tcf"
	name_of["djpeg"] = "djpeg"; name_of["x264"] = "h264enc"; name_of["minisat"] = "minisat2"
	# Table 1: seconds without, and % with Pin and theirs.
	published[1, "multiply"] = "9.681 s: 20.30 / 4.38"
	published[1, "kernels-O2"] = "12.496 s: 24.44 / 1.34"
	published[1, "denoise"] = "7.083 s: 23.65 / <1"
	published[1, "djpeg"] = "2.269 s: 40.15 / <1"
	published[1, "x264"] = "40.774 s: 207.96 / <1"
	published[1, "minisat"] = "29.004 s: 27.79 / <1"
	# Table 2: KB, functions, ms to map, to insert addresses, to write prologues.
	published[2, "multiply"] = "9.4 / 5 / 39 / 0 / 0"
	published[2, "kernels-O2"] = "19 / 29 / 27 / 0 / 0"
	published[2, "minisat"] = "173.6 / 52 / 27 / 0 / 0"
	published[2, "denoise"] = "91.8 / 59 / 45 / 0 / 0"
	published[2, "djpeg"] = "103 / 177 / 64 / 7 / 50"
	published[2, "x264"] = "663.7 / 560 / 63 / 5 / 9"
	# Table 3: seconds without, with OProfile, with theirs.
	published[3, "kernels-O2"] = "12.496 / 12.510 / 12.497 s: <1 / <1"
	published[3, "minisat"] = "29.004 / 29.037 / 29.075 s: <1 / <1"
	published[3, "x264"] = "40.774 / 40.838 / 41.051 s: <1 / <1"
	# Table 5: seconds without and with theirs, and %.
	published[5, "multiply"] = "9.681 / 10.141 s: 4.75"
	published[5, "kernels-O2"] = "12.496 / 12.653 s: 1.26"
	published[5, "denoise"] = "7.083 / 7.085 s: <1"
	published[5, "djpeg"] = "2.269 / 2.256 s: <1"
	published[5, "x264"] = "40.774 / 41.112 s: <1"
	published[5, "minisat"] = "29.099 / 29.004 s: <1"
	# Table 6: optimisation, functions, and those that can be profiled.
	published[6, "denoise"] = "-O0 59: 59 (100 %)"
	published[6, "x264"] = "-O2 591: 560 (94.8 %)"
	published[6, "minisat"] = "-O3 56: 52 (92.9 %)"
	published[6, "djpeg"] = "-O2 208: 177 (85.1 %)"
	published[6, "kernels-O2"] = "-O2 40: 29 (72.5 %)"
	most_functions = 4
	not_there = "- (not in this table)"
}
kind == "csv" { all_functions[program]++ }
# The longest of the functions of that name, with the time that it waits for the process.
kind == "functions" && mode == "process" && (name == "begin_program" || name == "[inject]") {
	time = $(column["total_cycles"]) + $(column["away_cycles"])
	if (time > injecting[program, name]) injecting[program, name] = time
}
kind == "txt" && /^[a-zA-Z0-9-]+: / { part = $0; sub(/:.*/, "", part); lines = 0; is_published = 0 }
kind == "txt" && /^$/ { part = "" }
kind == "txt" && part != "" {
	if (/^published/) is_published = 1
	if (++lines <= 3 + most_functions || is_published) accuracy[part] = accuracy[part] $0 "\n"
}
function print_title(table, text) { print (table > 1 ? "\n" : "") "Table " table ": " text }
function theirs(table, program) { return (table, program) in published ? published[table, program] : not_there }
function row(program) { return sprintf("%-12s %-12s", program, "(" name_of[program] ")") }
END {
	print_title(1, "calls only. M cycles, % more with gprof, in Pin's place, and with ours. Published: with Pin, and theirs")
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%s %9.2f %8s %8s  %s\n", row(program), cycles_before(program, "process", 1) / 1e6, change_percent(program, "gprof", 1), \
			change_percent(program, "process", 1), theirs(1, program)
	}
	print_title(2, "injection. Functions that are counted, ms of all at 3.2 GHz, and of that what the process maps. Published: KB,")
	print "functions, ms to map, to insert addresses, and to write prologues. Ours inserts and writes nothing into a program that begins:"
	print "the stubs have their addresses, and the mapped text has its jumps"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		if (!injecting[program, "begin_program"] || !injecting[program, "[inject]"]) fail(program ": no injection")
		printf "%s %9d %8.3f %8.3f  %s\n", row(program), functions_of[program], injecting[program, "begin_program"] / clock * 1e3, \
			injecting[program, "[inject]"] / clock * 1e3, theirs(2, program)
	}
	print_title(3, sprintf("sampler and daemon. M cycles, %% more with gprof's sampling, in OProfile's place, and with ours, periods divided by %d.", times))
	print "Published: without, with OProfile, and theirs"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%s %9.2f %8s %8s  %s\n", row(program), cycles_before(program, "sampled-process", 1) / 1e6, \
			percent(gprof_sampling(program), run_cycles[program, "normal", 1]), change_percent(program, "sampled-process", 1), theirs(3, program)
	}
	print_title(4, "accuracy of the samples: of the thesis's table 5.4 the functions that take the most time")
	printf "%s%s", accuracy["kernels-O2"], accuracy["minisat"]
	if (accuracy["kernels-O2"] == "" || accuracy["minisat"] == "") fail("5.4.txt: not understood")
	print_title(5, sprintf("all. M cycles, and %% more with ours, periods divided by %d. Published: without, with theirs, and %%", times))
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%s %9.2f %8s  %s\n", row(program), cycles_before(program, "all-process", 1) / 1e6, change_percent(program, "all-process", 1), theirs(5, program)
	}
	print_title(6, "functions, of the C library, too, and those that can be counted. Published: optimisation, functions, those")
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%s %9d %8d %6.2f %%  %s\n", row(program), all_functions[program], functions_of[program], \
			100 * functions_of[program] / all_functions[program], theirs(6, program)
	}
	for (p = 1; p <= nprograms; p++) for (m = 1; m <= nmodes; m++)
		if (cycles_before(programs[p], mode_names[m], 1) != "" && !sums_are_exact(programs[p], mode_names[m], 1))
			fail(programs[p] ": the parts of " mode_names[m] " do not add up")
	exit failed || !nprograms
}
