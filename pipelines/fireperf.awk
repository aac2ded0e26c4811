# SPDX-License-Identifier: Apache-2.0
# Tables of FirePerf's case study beside the published ones; fireperf-table-N.awk follows.
# Files: the results of the runs, .../RUN/result.txt. Runs of two harts end with -dual. A run
# that is not there is shown as "-". Variable: fast, the kernel with fast copies.
FNR == 1 { n = split(FILENAME, part, "/"); run = part[n - 1] }
{ value[run, $1] = $2 }
function gbits(run, key) {
	return value[run, key] == "" ? "-" : sprintf("%.2f", value[run, key])
}
function head(title) {
	printf "%s\n  %-50s %8s %8s %9s %8s %9s\n", title, "Gbit/s at 3.2 GHz; steady state, iperf3's console", \
		"one core", "iperf3", "FirePerf", "two", "FirePerf"
	rows = 0
}
# The results of a run, and of its counterpart of two harts, beside the paper's.
function row(what, run, paper, paper_dual) {
	printf "  %-50s %8s %8s %9s %8s %9s\n", what, gbits(run, "gbits"), gbits(run, "console"), paper, \
		gbits(run "-dual", "gbits"), paper_dual
	note("one core", what, value[run, "gbits"], paper)
	note("two cores", what, value[run "-dual", "gbits"], paper_dual)
}
# What is stated of two cores, once they have a result.
function placement(run) {
	if (value[run "-dual", "gbits"] != "") print "  two cores: hart 1 takes the interrupts of the interface (smp_affinity)"
}
function note(column, what, measured, paper) {
	if (measured == "" || paper + 0 == 0) return
	in_column[++rows] = column
	name[rows] = what
	got[rows] = measured
	published[rows] = paper + 0
}
# Reports successive rows of a column whose order differs from the paper's.
function order(   i, last) {
	for (i = 1; i <= rows; i++) {
		if ((in_column[i] in last) && (got[i] - got[last[in_column[i]]]) * (published[i] - published[last[in_column[i]]]) < 0)
			printf "  order differs from FirePerf, %s: %s; then %s\n", in_column[i], name[last[in_column[i]]], name[i]
		last[in_column[i]] = i
	}
}
function kind(run) { return run ~ /^shift/ ? "in software" : "by the copy unit" }
