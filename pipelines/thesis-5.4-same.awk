# SPDX-License-Identifier: Apache-2.0
# Whether count-instructions and the trace agree on each function of a program:
#     awk -v binary=NAME -f thesis-5.4-same.awk LIST COUNTS FUNCTIONS
# LIST is that of prof-extract, sorted by address, COUNTS those of count-instructions, FUNCTIONS
# tr-report functions --unit instructions --format csv of the same run.

BEGIN { FS = "," }
function from_hex(text,	i, value) {
	for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
FNR == 1 { file++ }
file == 1 && FNR > 1 { address[++n] = $2; start[n] = from_hex($2); end[n] = start[n] + $3 }
file == 2 && /^0x/ {
	while (at < n && start[at + 1] <= from_hex($1)) at++
	if (from_hex($1) < end[at]) counted[address[at]] += $2
}
# A name may have commas: columns behind it are counted from the end.
file == 3 && FNR == 1 {
	for (i = 1; i <= NF; i++) { if ($i == "address") from_end = NF - i; column[$i] = i }
	next
}
file == 3 && $(column["binary"]) == binary { traced[$(NF - from_end)] += $(column["self_instructions"]) }
END {
	for (i = 1; i <= n; i++) {
		if (counted[address[i]] + 0 != traced[address[i]] + 0) {
			print "thesis: " address[i] ": counted " counted[address[i]] + 0 ", in the trace " traced[address[i]] + 0 > "/dev/stderr"
			wrong = 1
		}
		if (counted[address[i]]) same++
	}
	if (wrong || !same) exit 1
	print "The truth of a short run of " binary " is that of its trace, by tr-report: the same number in all " same " functions."
}
