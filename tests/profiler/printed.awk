# SPDX-License-Identifier: Apache-2.0
# Compares what prof-counts prints with the executions of entries in the same run, where the trace
# does not tell the numbers of processes: awk -f printed.awk [-v whole=1 | -v again=1] LIST CONSOLE
# ENTRIES, as for counters.awk; CONSOLE has the lines of print_counts.sh. Each process must have
# the counters of one life, all functions together, or of two if its program starts itself again,
# and each life must have its process.
#
# A name may occur twice; then both counters are compared, in some order.
function trouble(text) { if (wrong++ < 20) print "counters: " text }
FNR == 1 { file++ }
{ sub(/\r$/, "") }
file == 1 {
	if (FNR == 1) next
	n = split($0, cell, ",")
	# A quoted name has commas.
	name = $0; sub(/,0x[0-9a-f]*,[0-9]*,[a-z]*,[0-9]*,[01]$/, "", name)
	entry = cell[n - 2]
	listed[cell[n - 4]] = entry
	if (entry == "near" || entry == "far") name_of[cell[n - 4]] = name
	next
}
file == 2 {
	if ($1 == "counts") { processes++; next }
	if (!processes || !match($0, /^[0-9]+,(calls|entries),/)) next
	split($0, cell, ",")
	if (cell[1]) { lines[processes, ++line_count[processes]] = substr($0, RLENGTH + 1) " " cell[1]; calls += cell[1] }
	next
}
FNR == 1 { next }
{
	n = split($0, cell, ",")
	life = cell[1] "." cell[2]; address = cell[4]
	before = cell[n - 4]; late = cell[n - 3]; entered = cell[n - 2]; open = cell[n - 1]; inherited = cell[n]
	if (!(address in name_of)) {
		if (entered) trouble(cell[5] ": not to be counted (" listed[address] "), but replaced")
		next
	}
	if (late && !again) trouble("life " life ": " cell[5] ": executed " late " times unreplaced after others were")
	if (before && whole) notes[life] = notes[life] "counters: life " life ": " cell[5] ": executed " before " times before it was replaced\n"
	early += before; opened += open
	if (!(life in number)) { number[life] = ++lives; life_of[lives] = life }
	if (entered) profiled[number[life]]
	if (entered - open + inherited) executed[number[life], ++executed_count[number[life]]] = name_of[address] " " entered - open + inherited
}
# The lines of a process or life as one text, in order.
function joined(of, key, count,   i, j, line, text) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && of[key, j] < of[key, j - 1]; j--) { line = of[key, j]; of[key, j] = of[key, j - 1]; of[key, j - 1] = line }
	for (i = 1; i <= count; i++) text = text of[key, i] "\n"
	return text
}
function match_two(text,   a, b, i, n, both, names, line, sum) {
	for (a = 1; a <= lives; a++) for (b = a + 1; b <= lives; b++) {
		if (!(a in profiled) || !(b in profiled) || a in matched || b in matched) continue
		split("", sum); split("", both); n = 0
		for (i = 1; i <= executed_count[a]; i++) add_line(sum, executed[a, i])
		for (i = 1; i <= executed_count[b]; i++) add_line(sum, executed[b, i])
		for (line in sum) both["", ++n] = line " " sum[line]
		if (joined(both, "", n) == text) { matched[a]; matched[b]; return 1 }
	}
	return 0
}
function add_line(sum, line,   at) {
	for (at = length(line); substr(line, at, 1) != " "; at--) ;
	sum[substr(line, 1, at - 1)] += substr(line, at + 1)
}
END {
	for (i = 1; i <= lives; i++) {
		if (!(i in profiled)) { others++; continue }
		if (life_of[i] in notes) { printf "%s", notes[life_of[i]]; wrong++ }
		text_of[i] = joined(executed, i, executed_count[i])
	}
	if (whole && others != alone + 0) trouble(others " lives are not profiled")
	for (i = 1; i <= processes; i++) {
		text = joined(lines, i, line_count[i]); functions += line_count[i]
		for (k = 1; k <= lives && (!(k in profiled) || k in matched || text_of[k] != text); k++) ;
		if (k <= lives) matched[k]
		else late_texts[++nlate] = text
	}
	# A process whose program starts itself again has one file for both lives.
	for (i = 1; i <= nlate; i++) {
		if (match_two(late_texts[i])) continue
		trouble("no life has the counters of a process")
		unmatched = unmatched late_texts[i] "--\n"
	}
	for (i = 1; i <= lives; i++) without += i in profiled && !(i in matched)
	if (without) trouble(without " lives have no process with their counters")
	if (wrong && verbose) printf "%s", unmatched
	printf "%d processes, %d counters of functions called, %d calls counted", processes, functions, calls
	if (others) printf "; %d lives not profiled", others
	if (early) printf "; %d before", early
	if (opened) printf "; %d left open", opened
	print wrong ? "; " wrong " WRONG" : ": all equal"
	exit wrong || !calls
}
