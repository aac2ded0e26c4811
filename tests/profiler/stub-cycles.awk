# SPDX-License-Identifier: Apache-2.0
# Prints what each stub costs a call, as CSV, and on stderr a summary. Input: the list of
# prof-extract, nm of injected.o, and the output of stub_cycles.c without and with stubs.

function fail(reason) { print "stub-cycles: " reason > "/dev/stderr"; failed = 1 }

# The lower 9 bits of an address in hexadecimal.
function low_bits(address,    i, value) {
	for (i = length(address) - 2; i <= length(address); i++)
		value = value * 16 + index("0123456789abcdef", substr(address, i, 1)) - 1
	return value % 512
}

# Extra cycles of instructions of the entry that cross a cache line.
function crossings(place, kind) {
	return (place % 64 == 62) + (kind == "far" && place % 64 == 58)
}

FNR == 1 { file++ }
file == 1 { split($0, field, ","); kind[field[2]] = field[4]; name[field[2]] = field[1] }
file == 2 { stub[$3] = $1 }
file == 3 { without[$1] = $0 }
file == 4 {
	k = kind[$1]
	if (!(k in limit)) {
		fail(name[$1] ": no stub")
		next
	}
	# A jump of a loop may be in the way of one jump of a call, but hardly of two loops.
	split(without[$1], before)
	cost = highest = ($2 - before[2]) / CALLS
	for (i = 3; i <= NF; i++) {
		in_loop = ($i - before[i]) / CALLS
		if (in_loop < cost)
			cost = in_loop
		if (in_loop > highest)
			highest = in_loop
	}
	callers += cost < highest
	crossed = crossings(low_bits($1), k)
	place = low_bits(stub[name[$1]])
	lines[place % 64]
	places[place]
	calls[k]++
	sum[k] += cost
	if (cost - crossed > most[k])
		most[k] = cost - crossed
	entries += crossed > 0
	print name[$1] "," $1 "," k "," stub[name[$1]] "," cost "," highest
	if (cost < 1 || cost > limit[k] + crossed)
		fail(sprintf("%s: %s, stub at %s: %.2f cycles", name[$1], k, stub[name[$1]], cost))
}

BEGIN { limit["near"] = 7; limit["far"] = 9; CALLS = 20 }
END {
	for (place in lines)
		line_count++
	for (place in places)
		place_count++
	printf "stub-cycles: %d near: %.2f cycles, at most %.2f; %d far: %.2f, at most %.2f\n", calls["near"],
		sum["near"] / calls["near"], most["near"], calls["far"], sum["far"] / calls["far"], most["far"] > "/dev/stderr"
	printf "stub-cycles: at %d of 32 places of a line, %d of 256 of 512 bytes; %d entries cross a line (1 cycle more, not in the most), %d have a jump in the way of one of three callers\n",
		line_count, place_count, entries, callers > "/dev/stderr"
	if (calls["near"] < 1000 || calls["far"] < 500 || line_count < 20 || place_count < 150)
		fail("too few stubs, or places of stubs")
	exit failed
}
