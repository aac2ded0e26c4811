# SPDX-License-Identifier: Apache-2.0
# Table 5.7 of the thesis, functions whose calls can be counted, for our programs:
# awk -f thesis-5.7.awk PROGRAM.csv..., from prof-extract --list.
BEGIN {
	FS = ","
	# Theirs: optimisation, functions counted, of functions.
	published["multiply"] = "-"
	published["kernels-O2"] = "coremark -O2: 29 of 40"
	published["denoise"] = "tcf -O0: 59 of 59"
	published["x264"] = "h264enc -O2: 560 of 591"
	published["minisat"] = "minisat2 -O3: 52 of 56"
	published["djpeg"] = "djpeg -O2: 177 of 208"
}
FNR == 1 {
	program = FILENAME; sub(/.*\//, "", program); sub(/\.csv$/, "", program)
	programs[++nprograms] = program
	next
}
# A name may have commas: columns are counted from the end.
{
	entry = $(NF - 2)
	functions[program]++
	kinds[program, entry]++
	if (entry == "near" || entry == "far") loops[program] += $NF
	else if (!(entry in is_reason)) { is_reason[entry]; reasons[++nreasons] = entry }
}
function sort_reasons(	i, j, reason) {
	for (i = 2; i <= nreasons; i++)
		for (j = i; j > 1 && reasons[j] < reasons[j - 1]; j--) { reason = reasons[j]; reasons[j] = reasons[j - 1]; reasons[j - 1] = reason }
}
END {
	sort_reasons()
	print "Functions of each ELF file, of its C library, too, with the kind of their entries, and why others are refused"
	printf "%-12s %9s %6s %6s %6s %8s", "program", "functions", "near", "far", "loops", "counted"
	for (i = 1; i <= nreasons; i++) printf " %8s", reasons[i]
	print "  published"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		counted = kinds[program, "near"] + kinds[program, "far"]
		printf "%-12s %9d %6d %6d %6d %6.2f %%", program, functions[program], kinds[program, "near"], kinds[program, "far"], \
			loops[program], 100 * counted / functions[program]
		for (i = 1; i <= nreasons; i++) printf " %8d", kinds[program, reasons[i]]
		print "  " (program in published ? published[program] : "-")
		if (counted < least * functions[program] / 100) { print "thesis: " program ": less than " least " % of the functions are counted" > "/dev/stderr"; short = 1 }
	}
	exit short || !nprograms
}
