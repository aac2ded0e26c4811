# SPDX-License-Identifier: Apache-2.0
# Sums the slots in the text of "tr-text --tokens", instruction by instruction, independently
# of the filters: a line "FUNCTION retired lost_1 ... lost_5" for each function (of 256 bytes,
# from 0x10000 on), and "all SLOTS CYCLES retired lost_1 ... lost_5 untraced".
# Variables: width.

function number_of(word) { sub(/^[a-z]+=/, "", word); return word }

# Adds the classes in "CYCLES/CLASS*SLOTS/...", and returns the cycles.
function add_runs(text, func_,    part, n, i, run) {
	n = split(text, part, "/")
	for (i = 2; i <= n; i++) {
		split(part[i], run, "*")
		lost[func_, run[1]] += run[2]
		all_lost[run[1]] += run[2]
		sum += run[2]
	}
	return part[1]
}

$1 == "token" {
	where = substr($2, 3, 3)
	cycles += add_runs(number_of($4), where)
	retired[where]++
	sum++
	tokens++
}
$1 == "trap" {
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^epc=/) epc = substr($i, 7, 3)
		if ($i ~ /^cycles=/) cycles += add_runs(number_of($i), epc)
	}
}
$1 == "gap" { cycles += number_of($2) }

END {
	for (f in retired) {
		line = f " " retired[f]
		for (c = 1; c <= 5; c++) line = line " " lost[f, c] + 0
		print line | "sort"
	}
	close("sort")
	line = "all " width * cycles " " cycles " " tokens
	for (c = 1; c <= 5; c++) line = line " " all_lost[c] + 0
	print line " " width * cycles - sum
}
