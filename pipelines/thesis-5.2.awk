# SPDX-License-Identifier: Apache-2.0
# Table 5.2 of the thesis, what injection takes, for our programs on the hardware:
# awk -f thesis-5.2.awk SIZES FILE...: SIZES has lines "PROGRAM BYTES FUNCTIONS"; of each program
#     PROGRAM-process.functions        tr-report functions
#     PROGRAM-process.instructions     the same --unit instructions
# A part takes what its function in the injector does, with the kernel, while it runs, and the time
# that it waits for the process. Mapping is the rest of the injection: checks, files, system calls.

BEGIN {
	clock = 3200 # cycles per microsecond: the nominal clock
	nparts = split("inject_stubs tr_stubs_place write_patch_pages", parts, " ")
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
$(column["binary"]) == "prof-inject" {
	name = $(column["function"])
	total[program, unit, name] += $(column["total_" unit])
	if (unit == "cycles") total[program, unit, name] += $(column["away_cycles"])
}
function part_of(program, unit, part,	sum) {
	sum = total[program, unit, part]
	return part == parts[1] ? sum - total[program, unit, parts[2]] - total[program, unit, parts[3]] : sum
}
END {
	print "Injection: size of the program and its counted functions; instructions and cycles to map stubs and counters, to fill in"
	print "references to data and jumps, and to write the entries; us at 3.2 GHz. Published: KB, functions, ms to map"
	printf "%-12s %8s %9s %12s %9s %12s %9s %12s %9s %9s  %s\n", "program", "KB", "functions", "map: insns", "cycles", "refs: insns", "cycles", \
		"entries: insns", "cycles", "us", "published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		printf "%-12s %8.1f %9d", program, bytes[program] / 1024, functions[program]
		for (i = 1; i <= nparts; i++) {
			if (!total[program, "cycles", parts[i]]) { print "thesis: " program ": " parts[i] " did not run" > "/dev/stderr"; exit 1 }
			printf " %12d %9d", part_of(program, "instructions", parts[i]), part_of(program, "cycles", parts[i])
		}
		printf " %9.1f  %s\n", total[program, "cycles", parts[1]] / clock, program in published ? published[program] : "-"
	}
	exit !nprograms
}
