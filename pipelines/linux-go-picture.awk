# SPDX-License-Identifier: Apache-2.0
# Draws the intervals of linux-go.awk: the collector, each goroutine, and below them the
# threads that Linux ran on the hart, on one axis of cycles.

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}
function x(cycle) { return left + (cycle - first) * width / (last - first) }
function colour(state,    i, sum) {
	if (state in colours)
		return colours[state]
	for (i = 1; i <= length(state); i++)
		sum = (sum * 31 + index(alphabet, substr(state, i, 1))) % 360
	return "hsl(" sum ",45%,60%)"
}
function box(row, state, from, to, what) {
	if (to <= first || from >= last)
		return
	from = from < first ? first : from
	to = to > last ? last : to
	printf "<rect x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\" fill=\"%s\"><title>%s: %s, %d cycles from %d</title></rect>\n",
		x(from), top + row * 16, x(to) - x(from), 12, colour(state), escaped(what), escaped(state), to - from, from
}
function label(row, text) {
	printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left - 8, top + row * 16 + 10, escaped(text)
}

BEGIN {
	FS = "\t"
	left = 250; width = 940; top = 60
	alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/-[]"
	legend = "running,no hart,runnable,waiting,syscall,marking,stopped"
	n = split(legend, states, ",")
	split("#2f9e44,#b2d8a8,#f59f00,#dee2e6,#e03131,#74c0fc,#1c7ed6", paints, ",")
	for (i = 1; i <= n; i++)
		colours[states[i]] = paints[i]
}
$1 == "span" { first = $4; last = $5 }
$1 == "name" { function_of[$2] = $3; if ($2 + 0 > most) most = $2 + 0 }
$1 == "hart" { harts[$2] }
$1 != "name" && $1 != "span" { kinds[++count] = $1; who[count] = $2; state[count] = $3; from[count] = $4; to[count] = $5 }

END {
	if (!(last > first))
		exit 1
	row = 1
	for (id = 1; id <= most; id++)
		if (id in function_of)
			row_of["go", id] = row++
	for (h = 0; h < 64; h++)
		if (h in harts)
			row_of["hart", h] = row++
	height = top + row * 16 + 30
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"%d\" font-family=\"sans-serif\" font-size=\"10\">\n", height
	printf "<rect width=\"1200\" height=\"%d\" fill=\"white\"/>\n", height
	printf "<text x=\"10\" y=\"18\" font-size=\"14\">Goroutines, and the threads that Linux runs</text>\n"
	for (i = 1; i <= n; i++)
		printf "<rect x=\"%d\" y=\"30\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"39\">%s</text>\n",
			left + (i - 1) * 100, colours[states[i]], left + (i - 1) * 100 + 14, states[i]
	label(0, "collector")
	for (id = 1; id <= most; id++)
		if (id in function_of)
			label(row_of["go", id], id " " function_of[id])
	for (h in harts)
		label(row_of["hart", h], "hart " h)
	for (i = 1; i <= count; i++)
		if (kinds[i] == "gc")
			box(0, state[i], from[i], to[i], who[i])
	for (i = 1; i <= count; i++)
		if (kinds[i] != "gc")
			box(row_of[kinds[i], who[i]], state[i], from[i], to[i], kinds[i] == "go" ? "goroutine " who[i] : "hart " who[i])
	for (i = 0; i <= 5; i++)
		printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.2f M</text>\n",
			left + i * width / 5, height - 12, (first + i * (last - first) / 5) / 1e6
	print "</svg>"
}
