# SPDX-License-Identifier: Apache-2.0
# Reads what tr-text prints of stacks: how often the body of a function is
# entered, by a call or by the return of a trap that interrupted it, and for how long, callees
# included, until it returns or the next trap. FirePerf (section 4.8) counts entries in this
# way. Variables: name, the function; window, "--from CYCLE --to CYCLE": entries that begin
# there count.
#
# A line of the histogram is a bucket's lowest value and its entries; a bucket is an eighth of
# a power of two.
function value(word) { return substr(word, index(word, "=") + 1) }
function bucket(n,   width) {
	for (width = 1; n >= 16 * width; width *= 2)
		continue
	return n - n % width
}
function leave(is_trap) {
	is_inside[hart] = 0
	if (begin[hart] < from || begin[hart] >= to) return
	entries++
	trapped += is_trap
	count[bucket(stay[hart])]++
}
function enter(is_call) {
	is_inside[hart] = 1
	begin[hart] = now[hart]
	stay[hart] = 0
	if (begin[hart] >= from && begin[hart] < to) calls += is_call
}
BEGIN {
	if (split(window, word, " ") != 4) exit 1
	from = word[2]
	to = word[4]
}
$1 == "func" {
	is_trap[$2] = $3 == "kind=trap"
	is_body[$2] = $NF == "name=\"" name "\""
}
# A stack is in the body, or in a trap above it, or neither.
$1 == "node" {
	f = value($4)
	below = place[value($3)]
	place[$2] = is_body[f] ? "body" : is_trap[f] && below ? "trap" : below
	is_first[$2] = is_body[f]
}
$1 == "hart" { hart = $2 }
$1 == "srow" {
	is_call = is_first[$2] && $NF == "fresh"
	if (is_inside[hart] && (place[$2] != "body" || is_call)) leave(place[$2] == "trap")
	if (!is_inside[hart] && place[$2] == "body") enter(is_call)
	stay[hart] += value($4)
	now[hart] += value($4)
}
END {
	if (!entries || !calls) {
		print "fireperf: no entries of " name > "/dev/stderr"
		exit 1
	}
	printf "calls %d\nentries %d\ntrapped %d\n", calls, entries, trapped
	for (low = 0; found < entries; low++)
		if (low in count) {
			printf "bucket %d %d\n", low, count[low]
			found += count[low]
		}
}
