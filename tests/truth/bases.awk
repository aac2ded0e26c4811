# SPDX-License-Identifier: Apache-2.0
# Compares the target's lines of /proc/self/maps with the table of tr-info. Prints one line
# of figures: places, and the most instructions that one ran before it was known.

function base_name(path) { sub(/.*\//, "", path); return path }

# "child 3f8e5c4000-3f8e6c0000 r-xp 00000000 00:02 12 /lib/riscv64-linux-gnu/libc.so.6"
FILENAME == "-" && ($1 == "parent" || $1 == "child") {
	split($2, range, "-")
	expected[base_name($7) " " address(range[1], $4)] = $1
	nexpected++
	next
}

# The difference of two hexadecimal numbers, as tr-info prints it. Not every awk prints
# more than 32 bits.
function address(start, offset,    value) {
	value = number(start) - number(offset)
	return sprintf("0x%x%06x", int(value / 16777216), value % 16777216)
}
function number(hex,    i, value) {
	for (i = 1; i <= length(hex); i++)
		value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return value
}

/places known after at most/ {
	sub(/.*places known after at most /, "")
	most = $1 + 0
}

/^code found/ { in_table = 1; next }
in_table && /^[^ US MpcS]/ { in_table = 0 }
in_table && $1 == "U" && $2 ~ /^maps#/ {
	key = $3 " " $4
	if ($3 == "[unknown]" || $3 == "[ambiguous]") {
		lost += $5
		next
	}
	if (!(key in expected)) {
		print "seed " seed ": " $2 " has " key ", which the kernel did not map" > "/dev/stderr"
		bad = 1
	} else {
		who = expected[key]
		if ($2 in process && process[$2] != who) {
			print "seed " seed ": " $2 " mixes two processes" > "/dev/stderr"
			bad = 1
		}
		process[$2] = who
		seen[key]
		found++
	}
}

END {
	for (key in expected)
		if (!(key in seen)) {
			print "seed " seed ": " expected[key] " mapped " key ", which was not found" > "/dev/stderr"
			bad = 1
		}
	if (nexpected < 8) {
		print "seed " seed ": the program told of " nexpected + 0 " mappings" > "/dev/stderr"
		bad = 1
	}
	if (bad)
		exit 1
	print found, most, lost + 0
}
