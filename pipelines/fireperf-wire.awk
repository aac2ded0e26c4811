# SPDX-License-Identifier: Apache-2.0
# Reads what tcpdump -nn --nano -tt prints of the receiver's frames: throughput of the
# connection with the most data, after its first MiB, and what was sent again.
match($0, / > [0-9.]+: /) && match($0, /seq [0-9]+:[0-9]+/) {
	split(substr($0, RSTART + 4, RLENGTH - 4), seq, ":")
	c = $3 $4 $5
	if (seq[1] + 0 < high[c]) {
		again[c]++
		next
	}
	high[c] = seq[2] + 0
	frames[c]++
	if (!first[c] && high[c] > 1048576) {
		first[c] = $1
		from[c] = high[c]
	}
	last[c] = $1
}
END {
	for (c in high) if (!most || high[c] > high[most]) most = c
	if (!most || last[most] <= first[most]) {
		print "fireperf: no data on the wire" > "/dev/stderr"
		exit 1
	}
	printf "gbits %.4f\n", (high[most] - from[most]) * 8 / (last[most] - first[most]) / 1e9
	printf "frames %d\nagain %d\n", frames[most], again[most]
}
