# SPDX-License-Identifier: Apache-2.0
# Reads what tr-text prints of a trace of user copies: the bytes that they stored, from the
# stores executed, and the number of copies. Variables: from and to, the addresses of the
# function's first instruction and of its return, so that handlers of interrupts do not count.
function hex(text,   i, n) {
	for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
# Bytes that an instruction stores: sb to sd, and their compressed forms without sp.
function stored(bits,   n) {
	n = hex(bits)
	if (length(bits) == 8) return n % 128 == 35 ? 2 ^ (int(n / 4096) % 8) : 0
	if (n % 4) return 0
	return int(n / 8192) == 7 ? 8 : int(n / 8192) == 6 ? 4 : 0
}
$1 == "block" && substr($3, 4) >= from && substr($3, 4) <= to {
	for (i = 4; i <= NF; i++) size[$2] += stored($i)
}
$1 == "row" { bytes += size[$2] * ($3 ~ /^x/ ? substr($3, 2) : 1) }
$1 == "trigger" && $2 == "start" { calls++ }
END {
	if (!bytes || !calls) {
		print "fireperf: no copies in the trace" > "/dev/stderr"
		exit 1
	}
	printf "bytes %d\ncalls %d\n", bytes, calls
}
