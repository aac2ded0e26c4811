# SPDX-License-Identifier: Apache-2.0
# Reads a CSV of counters: the mean number of entries of the queue of requests to send, over
# the cycles in which there is one, and how many cycles it has one, as in FirePerf's figure 5;
# and the sum of its entries over all cycles.
BEGIN { FS = "," }
$1 == "label" { for (i = 1; i <= NF; i++) if (sub(/^nic_send=/, "", $i)) entries[i] = $i }
{ for (i in entries) cycles[i] = $i }
END {
	if (!(length(cycles) > 1)) {
		print "fireperf: no counts of nic_send" > "/dev/stderr"
		exit 1
	}
	for (i in entries) if (entries[i] > 0) { sum += entries[i] * cycles[i]; busy += cycles[i] }
	for (i in entries) if (entries[i] == 1) one = cycles[i]
	printf "occupancy %.3f\noccupied %.0f\none %.0f\nqueued %.0f\n", busy ? sum / busy : 0, busy, one, sum
}
