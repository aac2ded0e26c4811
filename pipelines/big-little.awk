# SPDX-License-Identifier: Apache-2.0
# The tables of `make big-little`, from those of tr-report and tr-diff for each run:
#
#   PROGRAM-PLACE.functions.csv   cycles and instructions of each function and hart
#   PROGRAM-PLACE.tma.csv         their slots by class
#   PROGRAM.diff.csv              what differs from the hart in order to the other
#   all-together.functions.csv    all of them at the same time
#   moves-BYTES.FUNCTION.csv      when each part of `moves` began and ended
#
# A cycle has 4 slots on both harts: that of the hart in order counts as 4. Hart 0 is the one in
# order. Variable: moves, how often `moves` moves.

function fail(text)
{
	print "big-little.awk: " text > "/dev/stderr"
	failed = 1
	exit 1
}

FNR == 1 {
	run = FILENAME
	sub(/.*\//, "", run)
	sub(/\.csv$/, "", run)
	kind = run
	sub(/.*\./, "", kind)
	sub(/\.[^.]*$/, "", run)
	place = run
	sub(/.*-/, "", place)
	program = run
	sub(/-[^-]*$/, "", program)
	split("", column)
	columns = split($0, name, ",")
	for (i = 1; i <= columns; i++)
		column[name[i]] = i
	if (kind == "functions" && place != "together" && !(program in is_known)) {
		is_known[program]
		programs[++count] = program
	}
	next
}
{ split($0, cell, ",") }
function value(what) { return cell[column[what]] }
# Without what is not in the benchmark, what a hart waits, and what was not traced. In a
# difference all are functions.
function is_counted()
{
	return value("kind") !~ /^(left out|idle|gap|others|all)$/ && value("function") !~ /^\[(out of focus|idle|untraced|reset|end|lost|other|limit|gap)\]$/
}

kind == "functions" && is_counted() {
	hart = substr(value("hart"), 6)
	cycles[run, hart] += value("self_cycles")
	if (place == "together") together[value("binary"), hart] += value("self_cycles")
	instructions[run, hart] += value("instructions")
}
# Columns without a dot are of groups.
kind == "tma" && value("table") == "functions" && is_counted() {
	hart = substr(value("hart"), 6)
	slots[run, hart] += value("self_slots")
	for (i = 1; i <= columns; i++) {
		part = name[i]
		if (!sub(/_slots$/, "", part) || part ~ /\./ || part == "self")
			continue
		lost[run, hart, part] += cell[i]
		added[run, hart] += cell[i]
	}
}
kind == "diff" && is_counted() {
	change[program] += value("change_slots")
	for (i = 1; i <= columns; i++) {
		part = name[i]
		if (part !~ /^by_.*_slots$/ || part == "by_cpi_slots")
			continue
		sub(/^by_/, "", part)
		sub(/(\.[^.]*)?_slots$/, "", part)
		by[program, part] += cell[i]
		parts[program] += cell[i]
	}
}
kind ~ /^(stay_on_[01]|move)$/ {
	if (FNR > 2) fail(FILENAME ": more than one call")
	if (!((place) in is_size)) { is_size[place]; sizes[++nsizes] = place }
	time[place, kind] = value("to_cycle") - value("from_cycle")
}

# Columns of the classes, and their parts in the difference.
function set_groups()
{
	ngroups = split("retiring frontend bad_speculation backend_memory backend_core unclassified not_traced", of_tma, " ")
	split("retiring frontend badspec memory core unclassified not_traced", of_diff, " ")
	split("retiring,frontend,bad spec,memory,core,no class,untraced", heading, ",")
}
function cpi_row(program, place, hart,    run, k)
{
	run = program "-" place
	printf "%-11s %-12s %6.3f", program, hart ? "out of order" : "in order", cycles[run, hart] / instructions[run, hart]
	for (k = 1; k <= ngroups; k++)
		printf " %9.3f", lost[run, hart, of_tma[k]] / 4 / instructions[run, hart]
	print ""
}
function check(program,    run, hart)
{
	for (hart = 0; hart < 2; hart++) {
		run = program "-" (hart ? "ooo" : "inorder")
		if (!cycles[run, hart] || cycles[run, 1 - hart])
			fail(run ": not on its hart alone")
		if (added[run, hart] != slots[run, hart])
			fail(run ": " added[run, hart] " slots in the groups of " slots[run, hart])
	}
	# Out of order a function's first and last cycle may be another's as well.
	if (slots[program "-inorder", 0] != 4 * cycles[program "-inorder", 0])
		fail(program ": the slots of the hart in order are not 4 a cycle")
	if (parts[program] != change[program])
		fail(program ": the parts of the difference do not add up")
}

END {
	if (failed) exit 1
	if (!count || !nsizes) fail("no runs")
	set_groups()
	print "Cycles of benchmark() in thousands, on the hart in order, on that out of order, and where the"
	print "kernel places the program; `on 0` is the share of the hart in order."
	printf "\n%-11s %10s %6s %12s %6s %6s %8s %7s\n", "program", "in order", "CPI", "out of order", "CPI", "ratio", "free", "on 0"
	for (p = 1; p <= count; p++) {
		program = programs[p]
		check(program)
		a = cycles[program "-inorder", 0]
		b = cycles[program "-ooo", 1]
		free = cycles[program "-free", 0] + cycles[program "-free", 1]
		printf "%-11s %10.1f %6.3f %12.1f %6.3f %6.2f %8.1f %5.1f %%\n", program, a / 1000, a / instructions[program "-inorder", 0], \
			b / 1000, b / instructions[program "-ooo", 1], a / b, free / 1000, 100 * cycles[program "-free", 0] / free
	}
	print "\nThe same with all programs at the same time: thousand cycles of their own code on each hart."
	printf "\n%-11s %10s %12s %7s\n", "program", "in order", "out of order", "on 0"
	for (p = 1; p <= count; p++) {
		program = programs[p]
		a = together[program, 0]
		b = together[program, 1]
		if (!(a + b)) fail(program ": not among those at the same time")
		printf "%-11s %10.1f %12.1f %5.1f %%\n", program, a / 1000, b / 1000, 100 * a / (a + b)
	}
	print "\nCPI by class: cycles an instruction, of the hart out of order slots / 4."
	printf "\n%-11s %-12s %6s", "program", "hart", "CPI"
	for (k = 1; k <= ngroups; k++) printf " %9s", heading[k]
	print ""
	for (p = 1; p <= count; p++) {
		cpi_row(programs[p], "inorder", 0)
		cpi_row(programs[p], "ooo", 1)
	}
	print "\nWhy: tr-diff --tma from the hart in order to the other, in thousand cycles. `number` is of"
	print "instructions; `retiring` is that up to four retire in a cycle."
	printf "\n%-11s %9s %8s", "program", "change", "number"
	for (k = 1; k <= ngroups; k++) printf " %9s", heading[k]
	print ""
	for (p = 1; p <= count; p++) {
		program = programs[p]
		printf "%-11s %9.1f %8.1f", program, change[program] / 4000, by[program, "instructions"] / 4000
		for (k = 1; k <= ngroups; k++) printf " %9.1f", by[program, of_diff[k]] / 4000
		print ""
	}
	print "\nMoving between the harts by sched_setaffinity(): cycles of " moves " calls, each with a walk through some"
	print "bytes, without and with a move at each; the cycles of a move, over the mean of both harts."
	printf "\n%-9s %14s %18s %10s %12s\n", "bytes", "stay in order", "stay out of order", "move", "a move costs"
	for (s = 1; s <= nsizes; s++) {
		size = sizes[s]
		stay = (time[size, "stay_on_0"] + time[size, "stay_on_1"]) / 2
		printf "%-9d %14d %18d %10d %12.0f\n", size, time[size, "stay_on_0"], time[size, "stay_on_1"], time[size, "move"], \
			(time[size, "move"] - stay) / moves
	}
}
