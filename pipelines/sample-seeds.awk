# SPDX-License-Identifier: Apache-2.0
# How often the errors that sampled runs state hold, from the lines of sample.awk of each seed.
# Fails if those of the total, or those of the functions, hold in fewer than 90 %.
function abs(x) {
	return x < 0 ? -x : x
}
$1 == "total" {
	seeds++
	totals += $6 != "-" && abs($5 - $4) <= $6
	sum += $5 / $4 - 1
	bars += $6 / $5
}
$1 == "function" {
	functions++
	held += $7 != "-" && abs($6 - $5) <= $7
	of[$4]++
	held_of[$4] += $7 != "-" && abs($6 - $5) <= $7
	mean[$4] += $6 / $5 - 1
}
END {
	if (!seeds || !functions) {
		print "sample-seeds.awk: no sampled run" > "/dev/stderr"
		exit 1
	}
	printf "the error of the total holds in %d of %d runs; mean error %+.2f %%, stated ± %.2f %%\n", totals, seeds,
		100 * sum / seeds, 100 * bars / seeds
	printf "the errors of the 20 largest functions hold in %d of %d cases, %.1f %%\n", held, functions, 100 * held / functions
	for (name in of)
		printf "  %-40s %3d of %3d, mean error %+.2f %%\n", name, held_of[name], of[name], 100 * mean[name] / of[name] | "sort"
	close("sort")
	exit totals < 0.9 * seeds || held < 0.9 * functions
}
