# SPDX-License-Identifier: Apache-2.0
# Stacks of each goroutine, folded, from intervals of linux-go.awk and the text of tr-unwind's
# stacks, of one hart: what the hart does while the goroutine runs.

function path(node,    name) {
	if (node == "n0")
		return ""
	if (!(node in paths))
		paths[node] = path(parent[node]) ";" name_of[func_of[node]]
	return paths[node]
}
# Charges a row's stack to the goroutines that run between a and b.
function charge(node, a, b,    low, high) {
	while (at <= n && to[at] <= a)
		at++
	for (i = at; i <= n && from[i] < b; i++) {
		low = from[i] > a ? from[i] : a
		high = to[i] < b ? to[i] : b
		cycles[who[i] path(node)] += high - low
		sum += high - low
	}
}

FNR == 1 { file++ }
file == 1 {
	split($0, part, "\t")
	if (part[1] == "name")
		function_name[part[2]] = part[3]
	else if (part[1] == "go" && part[3] == "running") {
		m++
		id[m] = part[2]; begin[m] = part[4]; end[m] = part[5]
		wanted += part[5] - part[4]
	}
	next
}
# The intervals in the order of time.
file == 2 && !sorted {
	sorted = 1
	sort = "sort -n -k2,2 > " order
	for (i = 1; i <= m; i++)
		print i, begin[i] | sort
	close(sort)
	while ((getline line < order) > 0) {
		split(line, part, " ")
		n++
		from[n] = begin[part[1]]; to[n] = end[part[1]]
		who[n] = "goroutine " id[part[1]] " " function_name[id[part[1]]]
	}
	at = 1
}
$1 == "func" { match($0, /name=".*"$/); name_of[$2] = substr($0, RSTART + 6, RLENGTH - 7) }
$1 == "node" { parent[$2] = substr($3, 8); func_of[$2] = substr($4, 6) }
$1 == "hart" {
	now = substr($3, 7) + 0
	if ($2 != 0) {
		print "linux-go: stacks of several harts" > "/dev/stderr"
		failed = 1
		exit 1
	}
}
$1 == "srow" {
	match($0, /cycles=[0-9]+/)
	length_of = substr($0, RSTART + 7, RLENGTH - 7) + 0
	charge($2, now, now + length_of)
	now += length_of
}
END {
	if (failed)
		exit 1
	if (sum != wanted) {
		print "linux-go: goroutines run for " wanted " cycles, and have stacks for " sum > "/dev/stderr"
		exit 1
	}
	for (stack in cycles)
		print stack, cycles[stack]
}
