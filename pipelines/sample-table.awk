# SPDX-License-Identifier: Apache-2.0
# The table of `make sample-check`, from the lines of sample.awk. Fails if a limit does not hold.
BEGIN {
	TOTAL = 1.5    # %
	SHARE = 0.5    # points
	WITHIN = 17    # of the largest 20 functions, or as many of fewer
	CLASS = 0.005  # cycles an instruction
	printf "%-8s %6s %8s %16s %7s  %-28s %7s  %-16s\n", "run", "M insn", "M cycles", "estimate ±", "error",
		"largest error of a share", "within", "largest error of a class"
}
function abs(x) {
	return x < 0 ? -x : x
}
$1 == "total" {
	runs[++n] = $2
	insn[$2] = $3
	whole[$2] = $4
	estimate[$2] = $5
	bar[$2] = $6
}
$1 == "function" {
	functions[$2]++
	within[$2] += $7 != "-" && abs($6 - $5) <= $7
}
$1 == "share" {
	share[$2] = $4
	who[$2] = $3
}
$1 == "class" && abs($5 - $4) >= abs(class[$2] + 0) {
	class[$2] = $5 - $4
	which[$2] = $3
}
END {
	for (i = 1; i <= n; i++) {
		r = runs[i]
		off = 100 * (estimate[r] / whole[r] - 1)
		least = functions[r] < 20 ? functions[r] * WITHIN / 20 : WITHIN
		wrong = ""
		if (abs(off) > TOTAL)
			wrong = wrong " total"
		if (abs(share[r]) > SHARE)
			wrong = wrong " share"
		if (within[r] < least)
			wrong = wrong " functions"
		if (abs(class[r]) > CLASS)
			wrong = wrong " class"
		printf "%-8s %6.0f %8.1f %8.1f ± %5.1f %+6.2f%%  %+6.2f %-21s %2d / %2d  %+.4f %s%s\n", r, insn[r] / 1e6, whole[r] / 1e6,
			estimate[r] / 1e6, bar[r] / 1e6, off, share[r], who[r], within[r], functions[r], class[r], which[r],
			wrong == "" ? "" : "  BEYOND:" wrong
		bad += wrong != ""
	}
	printf "limits: %s %% of the total, %s points, %d of the largest 20 functions within their error, %s cycles an instruction\n",
		TOTAL, SHARE, WITHIN, CLASS
	exit !n || bad > 0
}
