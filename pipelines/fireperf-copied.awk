# SPDX-License-Identifier: Apache-2.0
# Reads what tr-text prints of a trace of user copies: cycles, instructions, loads, stores and
# the bytes that they store, L1D misses and the cycles that these cost, and the number of
# copies. Variables: from and to, the addresses of the function's first instruction and of
# its return. What handlers of interrupts do in between does not count.
function hex(text,   i, n) {
	for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
# Bytes that an instruction loads (negative) or stores, 0 for others; the compressed ones
# without sp.
function access(bits,   n, kind) {
	n = hex(bits)
	kind = int(n / 4096) % 8
	if (length(bits) == 8) return n % 128 == 35 ? 2 ^ kind : n % 128 == 3 ? -2 ^ (kind % 4) : 0
	kind = int(n / 8192)
	if (n % 4) return 0
	return kind == 7 ? 8 : kind == 6 ? 4 : kind == 3 ? -8 : kind == 2 ? -4 : 0
}
# Of a token's "cycles/class*slots...": classes 8 and 9 are memory.l2 and memory.dram.
function stall(text, times,   part, n, i, lost) {
	n = split(text, part, /[\/*]/)
	cycles += (part[1] - 1) * times
	for (i = 2; i < n; i += 2) if (part[i] == 8 || part[i] == 9) lost += part[i + 1]
	refill += lost * times
	misses += (lost > 0) * times
}
$1 == "block" && substr($3, 4) >= from && substr($3, 4) <= to {
	is_copy[$2] = 1
	for (i = 4; i <= NF; i++) {
		n = access($i)
		tokens[$2]++
		load[$2] += n < 0
		store[$2] += n > 0
		size[$2] += n > 0 ? n : 0
	}
}
$1 == "row" && ($2 in is_copy) {
	times = $3 ~ /^x/ ? substr($3, 2) : 1
	instructions += tokens[$2] * times
	cycles += tokens[$2] * times
	loads += load[$2] * times
	stores += store[$2] * times
	bytes += size[$2] * times
	for (i = 3; i <= NF; i++) if (split($i, at, ":") == 2) stall(at[2], times)
}
$1 == "header" && $2 ~ /^classes=/ {
	split(substr($2, 9), class, ",")
	is_known = class[8] == "memory.l2" && class[9] == "memory.dram"
}
$1 == "trigger" && $2 == "start" { calls++ }
END {
	if (!bytes || !calls || !is_known) {
		print "fireperf: no copies in the trace" > "/dev/stderr"
		exit 1
	}
	printf "calls %d\nbytes %d\ncycles %.0f\ninstructions %.0f\nloads %d\nstores %d\nmisses %d\nrefill %.0f\n", \
		calls, bytes, cycles, instructions, loads, stores, misses, refill
}
