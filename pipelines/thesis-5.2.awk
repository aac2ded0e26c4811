# SPDX-License-Identifier: Apache-2.0
# Table 5.2 of the thesis, what injection takes, for our programs on the hardware:
# awk -f thesis-5.2.awk SIZES FILE...: SIZES has lines "PROGRAM BYTES FUNCTIONS"; of each program
#     PROGRAM-process.functions        tr-report functions
#     PROGRAM-process.instructions     the same --unit instructions
# The injection is begin_program() of the injector, with the kernel, while it runs, and the time
# that it waits for the process; part of it is check_mapped_text(). Besides, the process makes the
# calls that map, [inject]. Fails if an injection takes more instructions than its limit.

BEGIN {
	clock = 3200 # cycles per microsecond: the nominal clock
	limit_to_map = 100000; limit_of_function = 500 # instructions
	nparts = split("begin_program check_mapped_text [inject]", parts, " ")
	# Theirs: KB, functions, ms to map.
	published["multiply"] = "9.4 / 5 / 40"
	published["kernels-O2"] = "coremark 19 / 29 / 30"
	published["minisat"] = "minisat2 173.6 / 52 / 30"
	published["denoise"] = "tcf 91.8 / 59 / 40"
	published["x264"] = "h264enc 663.7 / 560 / 60"
	published["djpeg"] = "C: 103 / 177 / 64"
}
FNR == 1 { file++ }
file == 1 { bytes[$1] = $2; functions[$1] = $3; programs[++nprograms] = $1; next }
FNR == 1 {
	split($0, key, ",")
	split("", column)
	for (i in key) column[key[i]] = i
	program = FILENAME; sub(/.*\//, "", program); sub(/-process\..*/, "", program)
	unit = FILENAME ~ /instructions$/ ? "instructions" : "cycles"
	FS = ","
	next
}
$(column["binary"]) == "prof-inject" || /,\[inject\],/ {
	name = $(column["function"])
	total[program, unit, name] += $(column["total_" unit])
	if (unit == "cycles") total[program, unit, name] += $(column["away_cycles"])
}
END {
	print "Injection: size of the program and its counted functions; instructions and cycles of all, of these to check that the image"
	print "is the program's, and besides of the process, which maps it; instructions that are allowed; us at 3.2 GHz. Published: KB,"
	print "functions, ms to map"
	printf "%-12s %8s %9s %12s %9s %12s %9s %12s %9s %9s %9s  %s\n", "program", "KB", "functions", "all: insns", "cycles", "check: insns", "cycles", \
		"maps: insns", "cycles", "allowed", "us", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%-12s %8.1f %9d", program, bytes[program] / 1024, functions[program]
		for (i = 1; i <= nparts; i++) {
			if (!total[program, "cycles", parts[i]]) { print "thesis: " program ": " parts[i] " did not run" > "/dev/stderr"; exit 1 }
			printf " %12d %9d", total[program, "instructions", parts[i]], total[program, "cycles", parts[i]]
		}
		allowed = limit_to_map + limit_of_function * functions[program]
		printf " %9d %9.1f  %s\n", allowed, total[program, "cycles", parts[1]] / clock, program in published ? published[program] : "-"
		if (total[program, "instructions", parts[1]] > allowed) { print "thesis: " program ": the injection takes more than is allowed" > "/dev/stderr"; over = 1 }
	}
	exit over || !nprograms
}
