# SPDX-License-Identifier: Apache-2.0
# Compares what prof-extract says of each random function with what its generator knows:
#
#	expect.awk EXPECTED LIST.CSV
#
# A function whose number is in the middle third needs a far entry. Some addresses that
# random code computes are of code by chance, so that a few functions may be refused for
# targets that they do not have. Prints the number of functions by entry or reason, and
# fails if one is not as it must be, or a reason does not occur.

function number_of(name) { return substr(name, 2) + 0 }
function wrong(text) { if (wrongs++ < 20) print "expect: " text > "/dev/stderr" }
function value(hex,    i, v) {
	for (i = 3; i <= length(hex); i++) v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return v
}

# What is wrong with a function that has `room` bytes up to the next one.
function check(name, entry, marked, room,    is_far, reasons, allowed) {
	is_far = number_of(name) * 3 >= count && number_of(name) * 3 < 2 * count
	reasons = is_far ? far[name] : near[name]
	allowed = reasons "," perhaps[name]
	# Another area may be in reach of a far entry.
	if (!is_far && perhaps[name] ~ /reach/ && entry != "near") {
		is_far = entry == "far"
		reasons = near[name] "," far[name]
		allowed = allowed "," far[name]
	}
	# The padding behind a function is replaced as well.
	if (room >= (is_far ? 8 : 4)) sub(/small,?/, "", reasons)
	if (entry == "near" || entry == "far") {
		if (reasons ~ /[a-z]/) wrong(name " is counted, but there is a reason: " reasons)
		if ((entry == "far") != is_far) wrong(name " has a " entry " entry")
		if (marked != loops[name]) wrong(name ": loops is " marked)
	} else if (index("," allowed ",", "," entry ",")) {
		return # as it must or may be
	} else if (entry == "target") {
		if (++chance > count / 200) wrong(name " is not counted: " entry)
	} else {
		wrong(name " is not counted: " entry ", for " reasons)
	}
}

NR == FNR { loops[$1] = $2; near[$1] = $3; far[$1] = $4; perhaps[$1] = $5; count++; next }
FNR == 1 {
	if ($0 != "name,address,size,entry,stub_size,loops") wrong("other columns: " $0)
	next
}
{
	split($0, field, ",")
	occurs[field[4]]++
	address = value(field[2])
	if (name in near) check(name, entry, marked, address - start)
	if (field[1] in near) seen++
	name = field[1]; entry = field[4]; marked = field[6]; start = address
}
END {
	if (name in near) check(name, entry, marked, 0)
	if (seen != count || !count) wrong(seen + 0 " of " count + 0 " functions are in the list")
	all = "near far call ecall ebreak target small live reach register unknown overlap"
	split(all, entries, " ")
	for (i = 1; i in entries; i++) {
		printf "%s%s %d", (i > 1 ? ", " : "functions: "), entries[i], occurs[entries[i]]
		if (!occurs[entries[i]]) wrong("no function is " entries[i])
	}
	print ""
	if (wrongs > 20) print "expect: " wrongs " in all" > "/dev/stderr"
	exit wrongs > 0
}
