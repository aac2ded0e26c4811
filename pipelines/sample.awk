# SPDX-License-Identifier: Apache-2.0
# How far a sampled run is from the whole one, without waiting (WFI): whole.functions.csv,
# whole.classes.csv, and the same two of the sampled run. Writes lines for sample-table.awk and
# sample-seeds.awk:
#   total RUN INSTRUCTIONS CYCLES ESTIMATE ERROR    of both busy; ERROR is half of the interval
#   function RUN RANK NAME CYCLES ESTIMATE ERROR WINDOWS    the largest, by rank
#   share RUN NAME POINTS     the function whose share in the cycles is most wrong
#   class RUN NAME CPI ESTIMATE ERROR
BEGIN {
	FS = ","
	TOP = 20
}
FNR == 1 {
	delete column
	for (i = 1; i <= NF; i++)
		column[$i] = i
	file++
	sampled = file > 2
	next
}
function field(name) {
	return name in column ? $column[name] : ""
}
# Functions.
file % 2 == 1 {
	key = field("binary") ":" field("function")
	id = key " " field("address")
	if (field("kind") == "program")
		next
	if (field("function") == "[idle]") {
		idle[sampled] += field("self_cycles")
		next
	}
	names[id] = key
	cycles[sampled, id] += field("self_cycles")
	busy[sampled] += field("self_cycles")
	instructions[sampled] += field("instructions")
	if (sampled) {
		error[id] = field("self_error")
		windows[id] = field("windows")
	}
	next
}
# Classes: the last of the levels that a row has is its own; those above it are sums.
{
	name = field("level3") != "" ? field("level3") : field("level2") == "" ? field("level1") : ""
	if (name == "all" && sampled)
		total_error = field("error")
	if (name == "" || name ~ /^(all|frontend|backend|bad speculation|idle|wfi)$/)
		next
	class[name] = 1
	class_cycles[sampled, name] = field("cycles")
	class_error[name] = field("error")
}
# Returns whether a is before b: by size, and the same with any awk.
function before(size, a, other, b) {
	return b == "" || size > other || (size == other && a < b)
}
function abs(x) {
	return x < 0 ? -x : x
}
END {
	if (file != 4 || !busy[0] || !busy[1]) {
		print "sample.awk: a table is missing or has no cycles" > "/dev/stderr"
		exit 1
	}
	printf "total %s %.0f %.0f %.0f %s\n", run, instructions[0], busy[0], busy[1], total_error == "" ? "-" : total_error
	for (rank = 1; rank <= TOP; rank++) {
		best = ""
		for (id in names)
			if (!(id in done) && before(cycles[0, id], id, cycles[0, best], best))
				best = id
		if (best == "" || !cycles[0, best])
			break
		done[best] = 1
		printf "function %s %d %s %.0f %.0f %s %s\n", run, rank, names[best], cycles[0, best], cycles[1, best],
			error[best] == "" ? "-" : error[best], windows[best] == "" ? 0 : windows[best]
	}
	for (id in names) {
		points = 100 * (cycles[1, id] / busy[1] - cycles[0, id] / busy[0])
		if (before(abs(points), id, abs(most), worst)) {
			worst = id
			most = points
		}
	}
	printf "share %s %s %.3f\n", run, names[worst], most
	for (name in class)
		printf "class %s %s %.5f %.5f %.5f\n", run, name, class_cycles[0, name] / instructions[0],
			class_cycles[1, name] / instructions[1], class_error[name] / instructions[1] | "sort"
}
