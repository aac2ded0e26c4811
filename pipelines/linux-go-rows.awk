# SPDX-License-Identifier: Apache-2.0
# For scripts that divide the rows of tr-unwind's stacks, in the text of tr-text, the last
# file of theirs: awk -f linux-go-rows.awk -f SCRIPT. Before it, the script calls piece(), for
# each hart in the order of time; it defines take(label, node, hart, low, high), which gets
# the rows within the pieces, cut at their bounds.
#
# The cycles of a row that falls into several pieces are spread evenly over it, as by tr-fold.
# Those in which an instruction retired are in part["commit"], the others in part[GROUP], the
# group of their class: frontend, badspec, memory, core, idle.

function piece(hart, from, to, label,    i) {
	i = ++pieces_of[hart]
	if (i > 1 && from < piece_to[hart, i - 1])
		fail("hart " hart ", cycle " from ": two goroutines run")
	piece_from[hart, i] = from
	piece_to[hart, i] = to
	piece_label[hart, i] = label
	if (i == 1)
		piece_at[hart] = 1
}
function fail(text) {
	print "linux-go: " text > "/dev/stderr"
	failed = 1
	exit 1
}
function path(node) {
	if (node == "n0")
		return ""
	if (!(node in paths))
		paths[node] = path(parent_of[node]) ";" name_of[func_of[node]]
	return paths[node]
}

# Puts the cycles of a row before its cycle `at` into part[], or takes them out of it.
function share(at, sign,    i, sum, next_sum, group) {
	sum = instructions
	part["commit"] += sign * int(sum * at / row_cycles)
	for (i = 1; i <= nlost; i++) {
		next_sum = sum + lost_cycles[i]
		group = group_of[lost_class[i]]
		part[group] += sign * (int(next_sum * at / row_cycles) - int(sum * at / row_cycles))
		sum = next_sum
	}
}
function divide(node, hart, begin, is_complete,    end, i, low, high, group) {
	end = begin + row_cycles
	for (i = piece_at[hart]; i <= pieces_of[hart] && piece_to[hart, i] <= begin; i++)
		piece_at[hart] = i + 1
	for (; i <= pieces_of[hart] && piece_from[hart, i] < end; i++) {
		if (!is_complete)
			fail("hart " hart ", cycle " begin ": cycles without a class")
		low = piece_from[hart, i] > begin ? piece_from[hart, i] : begin
		high = piece_to[hart, i] < end ? piece_to[hart, i] : end
		for (group in part)
			part[group] = 0
		share(high - begin, 1)
		share(low - begin, -1)
		take(piece_label[hart, i], node, hart, low, high)
	}
}
# Reads "cycles=N instructions=N classes=/K*N/K*N" of a row. Returns whether each cycle has a
# class, or an instruction.
function read_row(    i, list, parts, sum) {
	nlost = 0
	for (i = 4; i <= NF; i++) {
		if ($i ~ /^cycles=/)
			row_cycles = substr($i, 8) + 0
		else if ($i ~ /^instructions=/)
			instructions = substr($i, 14) + 0
		else if ($i ~ /^classes=/)
			nlost = split(substr($i, 10), list, "/")
	}
	sum = instructions
	for (i = 1; i <= nlost; i++) {
		split(list[i], parts, "*")
		lost_class[i] = parts[1]
		lost_cycles[i] = parts[2] + 0
		sum += parts[2]
	}
	return sum == row_cycles
}

FNR == 1 { file++ }
$1 == "header" && $2 ~ /^classes=/ {
	nclasses = split(substr($2, 9), class_names, ",")
	part["commit"] = 0
	for (k = 1; k <= nclasses; k++) {
		group_of[k] = class_names[k]
		sub(/\..*/, "", group_of[k])
		part[group_of[k]] = 0
	}
}
$1 == "func" { match($0, /name=".*"$/); name_of[$2] = substr($0, RSTART + 6, RLENGTH - 7) }
$1 == "node" { parent_of[$2] = substr($3, 8); func_of[$2] = substr($4, 6) }
$1 == "hart" && $3 ~ /^cycle=/ { row_hart = $2; row_begin = substr($3, 7) + 0 }
$1 == "srow" {
	is_complete = read_row()
	if (row_hart in pieces_of && row_cycles)
		divide($2, row_hart, row_begin, is_complete)
	row_begin += row_cycles
}
