# SPDX-License-Identifier: Apache-2.0
# Collapses the text of perf script as stackcollapse-perf.pl of FlameGraph does, by period, but
# with names as they are, and says what has another form.
# A sample's first line: name, pid/tid, [cpu], time, period, event.
/^[^\t]/ {
	if ($0 !~ /^[^ ]+  [0-9]+\/[0-9]+ \[[0-9][0-9][0-9]\] +[0-9]+\.[0-9]+: +[0-9]+ [a-z]+:$/)
		print "not a sample: " $0
	period = $5
	stack = ""
	samples++
	next
}
# A frame: its address, its name up to the last " (", its binary.
/^\t/ {
	frame = $0
	if (frame !~ /^\t *[0-9a-f]+ .+ \([^ ]*\)$/) print "not a frame: " $0
	sub(/^\t *[0-9a-f]+ /, "", frame)
	sub(/ \([^ ]*\)$/, "", frame)
	stack = stack == "" ? frame : frame ";" stack
	next
}
/^$/ { sum[stack] += period }
END {
	for (stack in sum) print stack, sum[stack]
	if (!samples) print "no samples"
}
