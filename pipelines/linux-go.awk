# SPDX-License-Identifier: Apache-2.0
# Goroutines from hits of go.probes and linux.probes, in a table; each cycle of a goroutine
# is in one state. -v names=FILE has the functions (nm of the program); -v intervals=FILE
# gets what was when, for linux-go-picture.awk: kind, who, state, from, to.

function put(kind, who, state, from, to) {
	if (to > from)
		print kind "\t" who "\t" state "\t" from "\t" to > intervals
}

# Charges the time of goroutine `g` up to now to its state. One that runs does so while its
# thread has a hart.
function charge(g, now,    what) {
	what = state[g]
	if (what == "running" && tid[g] && !(tid[g] in on_hart))
		what = "no hart"
	if (what in shown) {
		spent[g, what] += now - since[g]
		if (what == "waiting")
			reasons[g, reason[g]] += now - since[g]
		pieces[g] = pieces[g] what " " since[g] " " now "\n"
	}
	since[g] = now
}

# The goroutine's number, function and life are known: its line of the table.
function end(g, now,    i, sum, best, key, parts, n, piece) {
	for (i = 1; i <= nstates; i++)
		sum += spent[g, states[i]]
	if (sum != now - born[g]) {
		print "linux-go: goroutine " goid[g] ": " sum " of " now - born[g] " cycles are in a state" > "/dev/stderr"
		failed = 1
	}
	for (key in reasons) {
		split(key, parts, SUBSEP)
		if (parts[1] == g && (!best || reasons[key] > reasons[best] || (reasons[key] == reasons[best] && key < best)))
			best = key
	}
	split(best, parts, SUBSEP)
	line[goid[g]] = sprintf("%5d  %10d  %10d  %10d  %10d  %10d  %10d  %10d  %-28s %s", goid[g], born[g], now - born[g],
		spent[g, "running"], spent[g, "no hart"], spent[g, "runnable"], spent[g, "waiting"], spent[g, "syscall"],
		function_of[start[g]], parts[2])
	for (i = 1; i <= nstates; i++) {
		total[states[i]] += spent[g, states[i]]
		delete spent[g, states[i]]
	}
	for (key in reasons)
		if (index(key, g SUBSEP) == 1)
			delete reasons[key]
	n = split(pieces[g], piece, "\n")
	for (i = 1; i < n; i++) {
		split(piece[i], parts, " ")
		if (parts[1] == "no")
			put("go", goid[g], "no hart", parts[3], parts[4])
		else
			put("go", goid[g], parts[1], parts[2], parts[3])
	}
	put("name", goid[g], function_of[start[g]], 0, 1)
	lives++
	delete pieces[g]
}

function change(g, old, new, now) {
	if (g in state && state[g] != old && !(old == "copystack" || state[g] == "copystack")) {
		print "linux-go: cycle " now ": g " g " goes from " old " to " new ", but it was " state[g] > "/dev/stderr"
		failed = 1
	}
	charge(g, now)
	if (old == "dead" && new != "dead")
		born[g] = now
	if (new == "dead" && g in born) {
		end(g, now)
		delete born[g]
	}
	state[g] = new == "copystack" ? "running" : new
	changes[old " to " new]++
}

# Prints the switches in each tenth of the time from `begin` to `stop`.
function tenths(begin, stop,    i, k, of_linux, of_go, step) {
	step = (stop - begin) / 10
	for (i = 1; i <= nswitches; i++)
		if (switch_at[i] >= begin && switch_at[i] < stop)
			of_linux[int((switch_at[i] - begin) / step)]++
	for (i = 1; i <= nstarts; i++)
		if (start_at[i] < stop)
			of_go[int((start_at[i] - begin) / step)]++
	print "Switches in each tenth of its life, and cycles from one to the next: of Linux between threads, of Go between goroutines"
	for (k = 0; k < 10; k++)
		printf "  %2d  %6d  %9s  %6d  %9s\n", k + 1, of_linux[k], of_linux[k] ? sprintf("%d", step / of_linux[k]) : "-",
			of_go[k], of_go[k] ? sprintf("%d", step / of_go[k]) : "-"
}

BEGIN {
	nstates = split("running,no hart,runnable,waiting,syscall", states, ",")
	for (i = 1; i <= nstates; i++)
		shown[states[i]]
	while ((getline symbol < names) > 0) {
		split(symbol, parts, " ")
		sub(/^0*/, "", parts[1])
		function_of[parts[1]] = parts[3]
	}
}
$4 == "status" {
	g = field("g")
	old = field("old")
	new = field("new")
	if (!first)
		first = $1
	change(g, old, new, $1)
	if (new == "waiting")
		reason[g] = field("reason")
	if (new == "running" && old != "copystack")
		start_at[++nstarts] = $1
	if (new == "running") {
		tid[g] = field("tid")
		if (tid[g] && !(tid[g] in threads)) {
			threads[tid[g]]
			on_hart[tid[g]] = hart_since[tid[g]]
		}
	}
	hits++
}
$4 == "preempt" { change(field("g"), "running", "preempted", $1); state[field("g")] = "waiting"; reason[field("g")] = "preempted" }
$4 == "goroutine" {
	g = field("g")
	goid[g] = field("goid")
	start[g] = sprintf("%x", field("start"))
}
# The harts' threads, of which those of the program are known by their numbers.
$4 == "switch" {
	prev = field("prev")
	next_one = field("next")
	for (g in state)
		if (state[g] == "running" && (tid[g] == prev || tid[g] == next_one))
			charge(g, $1)
	switch_at[++nswitches] = $1
	if (first)
		put("hart", $3, field("prev_comm") "[" prev "]", switched[$3], $1)
	switched[$3] = $1
	delete on_hart[prev]
	delete hart_since[prev]
	on_hart[next_one] = $1
	hart_since[next_one] = $1
	last_comm[$3] = field("next_comm") "[" next_one "]"
}
# The program has ended, and with it all goroutines.
$4 == "exit" && field("pid") == field("tgid") && field("pid") in threads {
	for (g in born) {
		charge(g, $1)
		end(g, $1)
		delete born[g]
	}
	last_own = $1
}
$4 == "world_stop" { stopped = $1 }
$4 == "world_start" {
	put("gc", "world stopped", "stopped", stopped, $1)
	stops++
	stop_cycles += $1 - stopped
	if (field("phase") == 1)
		marking = $1
}
$4 == "gc_mark_termination" { put("gc", "marking", "marking", marking, $1); collections++; mark_cycles += $1 - marking }
{ last = $1 }

END {
	if (!hits) {
		print "linux-go: no change of a state" > "/dev/stderr"
		exit 1
	}
	for (g in born) {
		charge(g, last)
		end(g, last)
	}
	for (h in switched)
		put("hart", h, last_comm[h], switched[h], last)
	put("span", "", "", first, last_own ? last_own : last)
	print "Goroutines, in cycles of the hardware. running: on a hart; no hart: its thread waits for one, or in the kernel;"
	print "runnable: no thread runs it; waiting: for another goroutine or the runtime; syscall: in a system call."
	printf "%5s  %10s  %10s  %10s  %10s  %10s  %10s  %10s  %-28s %s\n", "goid", "created", "life", "running", "no hart",
		"runnable", "waiting", "syscall", "function", "waits most for"
	n = 0
	for (id in line)
		order[++n] = id + 0
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && order[k] < order[k - 1]; k--) {
			swap = order[k]; order[k] = order[k - 1]; order[k - 1] = swap
		}
	for (i = 1; i <= n; i++)
		print line[order[i]]
	printf "%d goroutines, %d changes of a state:\n", lives, hits
	m = 0
	for (what in changes)
		list[++m] = sprintf("  %7d  %s", changes[what], what)
	for (i = 2; i <= m; i++)
		for (k = i; k > 1 && list[k] > list[k - 1]; k--) {
			swap = list[k]; list[k] = list[k - 1]; list[k - 1] = swap
		}
	for (i = 1; i <= m; i++)
		print list[i]
	printf "collections: %d, which marked for %d cycles; the world was stopped %d times, for %d cycles\n",
		collections, mark_cycles, stops, stop_cycles
	tenths(first, last_own ? last_own : last)
	exit failed
}
