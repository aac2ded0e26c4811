# SPDX-License-Identifier: Apache-2.0
# Prints how often the driver's transmit function is entered for a packet, and for how long:
# the output of fireperf-entries.awk for each run, beside FirePerf's section 4.8.
#
# A mode is the middle of a bucket with at least a fiftieth of all entries; between two modes
# there is a bucket with less than half of either's entries.
function middle(i,   width) {
	for (width = 1; start[i] >= 16 * width; width *= 2)
		continue
	return start[i] + int(width / 2)
}
function modes(   i, least, peak, valley, is_falling, text) {
	least = value["entries"] / 50
	for (i = 1; i <= used; i++) {
		if (is_falling && count[i] < valley) {
			valley = count[i]
		} else if (is_falling && count[i] > 2 * valley && count[i] >= least) {
			is_falling = 0
			peak = i
		} else if (!is_falling && (!peak || count[i] > count[peak])) {
			peak = i
		} else if (!is_falling && count[i] < count[peak] / 2) {
			if (count[peak] >= least) text = text " " middle(peak)
			is_falling = 1
			valley = count[i]
		}
	}
	return is_falling || count[peak] < least ? text : text " " middle(peak)
}
function print_run() {
	if (run)
		printf "  %-20s %9d %9d %9.2f %12.1f %%  %s\n", run, value["calls"], value["entries"], \
			value["entries"] / value["calls"], 100 * value["trapped"] / value["calls"], modes()
}
BEGIN {
	print "Entries of the driver's transmit function in the steady state (section 4.8)"
	printf "  %-20s %9s %9s %9s %14s   %s\n", "client", "packets", "entries", "a packet", "interrupted", "modes, cycles"
}
FNR == 1 {
	print_run()
	n = split(FILENAME, part, "/")
	run = part[n - 1]
	used = 0
}
$1 == "bucket" { start[++used] = $2; count[used] = $3; next }
{ value[$1] = $2 }
END {
	print_run()
	printf "  %-20s %9s %9s %9s %14s   %s\n", "FirePerf", "", "", "2", "almost all", "8 and 2000, before NAPI"
}
