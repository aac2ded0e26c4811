# SPDX-License-Identifier: Apache-2.0
# Summary of every run of Linux, with the limits of each figure.
$1 == "seconds" { wall = $3 }
$1 == "info" && $2 == "instructions" && !instructions { instructions = $3 }
$1 == "info" && $2 == "cycles" && !cycles { cycles = $3 }
$1 == "info" && $2 == "bytes/instruction" { bytes = $3 }
/^tr-match: matched/ { match_line = $0 }
/^tr-match: [0-9]+ blocks differ/ { patched = $2 }
/^tr-unwind: / {
	for (i = 1; i <= NF; i++) {
		if ($i ~ /^returns/) returns = $(i - 1)
		if ($i ~ /^\(?[0-9]+$/ && $(i + 1) ~ /^unmatched/) unmatched = substr($i, 2)
		if ($(i + 1) == "instructions" && $(i + 2) ~ /^unknown/) unknown = $i
		if ($(i + 1) == "thread") switches = $i
	}
}
/^tr-fold: .*charged/ { sub(/^tr-fold: /, ""); charged = $0 }
function limit(text, met) { return text (met ? "" : ": not met") }
function row(what, value, note) { printf "  %-34s %16s   %s\n", what, value, note }
END {
	print title
	row("instructions", instructions)
	row("cycles", cycles)
	row("instructions/cycle", sprintf("%.3f", instructions / cycles))
	row("seconds, traced to a file", wall)
	row("million cycles/second", sprintf("%.2f", cycles / wall / 1e6))
	row("bytes/instruction", bytes, limit("at most 0.10", bytes <= 0.10))
	row("instructions in unknown code", sprintf("%.4f %%", 100 * unknown / instructions), \
		limit("at most 0.01 %", unknown <= instructions / 10000))
	row("returns that match no call", unmatched + 0 " of " returns, \
		limit("at most 1 in 100,000", unmatched <= returns / 100000))
	row("blocks patched by the kernel", patched + 0)
	row("thread switches", switches)
	print "  " charged
}
