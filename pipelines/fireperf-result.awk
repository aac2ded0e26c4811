# SPDX-License-Identifier: Apache-2.0
# Reads what fireperf-frames prints of the server and of the client: throughput of the flow
# with the most data, its steady state in cycles, and what was sent again.
FNR == 1 { file++ }
$1 == "flow" {
	for (i = 5; i < NF; i += 2) v[$i] = $(i + 1)
	way = file == 1 ? "received" : "sent"
	if ($2 == way && v["bytes"] >= most[file]) {
		most[file] = v["bytes"]
		for (i in v) best[file, i] = v[i]
	} else if ($2 == "received" && file == 2) {
		sacks += v["sacks"]
	}
}
END {
	time = best[1, "to"] - best[1, "from"]
	if (!(time > 0)) {
		print "fireperf: no data on the wire" > "/dev/stderr"
		exit 1
	}
	printf "gbits %.4f\nwindow %.0f %.0f\n", best[1, "steady"] * 8 / time, int(best[1, "from"] * 3.2), int(best[1, "to"] * 3.2)
	printf "cycles %.0f\n", time * 3.2 * best[1, "bytes"] / best[1, "steady"]
	printf "segments %d\nagain %d\nsacks %d\n", best[2, "segments"], best[2, "again"], sacks
}
