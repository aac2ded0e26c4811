# SPDX-License-Identifier: Apache-2.0
# Reads a table of functions (tr-report functions): those with the largest shares of the cycles in
# which the hart was not idle. last-column.awk precedes it. Variable: title.
# Columns: calls, self, self %, total, total %, min, median, max, away, instructions,
# IPC, binary, function.
$2 ~ /^[0-9]+$/ && NF >= 13 || $NF == "[idle]" {
	if ($NF == "[idle]") {
		idle = $2
		next
	}
	busy += $2
	names[++rows] = last_column(13)
	self[rows] = $2
}
END {
	if (!busy) {
		print "fireperf: no functions" > "/dev/stderr"
		exit 1
	}
	printf "%s: idle %.1f %%, and of the other cycles\n", title, 100 * idle / (busy + idle)
	for (i = 1; i <= rows && i <= 6; i++)
		printf "  %-50s %7.1f %%\n", names[i], 100 * self[i] / busy
}
