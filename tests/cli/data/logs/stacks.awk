# SPDX-License-Identifier: Apache-2.0
# Writes the text of a stream of stacks (tr-text) as TracerV's Indent lines.
function value(word) { sub(/^[a-z]+=/, "", word); return word }
function close_frame() { print "Indent: " depth ", End label: " name[func_of[open[depth]]] ", End cycle: " now; depth-- }
function open_frames(node,    i, n, path) {
	for (n = node; n != "n0" && n != open[depth]; n = parent[n]) path[++i] = n
	for (; i > 0; i--) {
		open[++depth] = path[i]
		print "Indent: " depth ", Start label: " name[func_of[path[i]]] ", At cycle: " now + 1
	}
}
function holds(node,    i) {
	for (i = 1; i <= depth; i++) above[open[i]] = i
	for (i = node; i != "n0" && !(above[i] && open[above[i]] == i && above[i] <= depth); i = parent[i]);
	return i == "n0" ? 0 : above[i]
}
$1 == "func" { match($0, /name="/); name[$2] = substr($0, RSTART + 6, length($0) - RSTART - 6) }
$1 == "node" { parent[$2] = value($3); func_of[$2] = value($4) }
$1 == "hart" { now = value($3) }
$1 == "srow" {
	common = holds($2)
	while (depth > common) close_frame()
	open_frames($2)
	now += value($4)
}
END { while (depth) close_frame() }
