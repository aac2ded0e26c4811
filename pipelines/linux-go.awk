# SPDX-License-Identifier: Apache-2.0
# Goroutines from hits of go.probes and linux.probes, in a table; each cycle of a goroutine
# is in one state. The file of hits is given twice: a wake-up's hit is at its end, when the
# thread may run already on another hart. -v names=FILE has the functions (nm of the program);
# -v intervals=FILE gets what was when, in the order of `from`: kind, who, state, from, to,
# and for a goroutine the hart on which it runs, or what it waits for.

function put(kind, who, state, from, to, more) {
	if (to > from)
		printf "%s\t%s\t%s\t%d\t%d\t%s\n", kind, who, state, from, to, more | sort
}

# Charges the time of goroutine `g` from since[g] up to `now` to a state.
function spend(g, what, now, more) {
	if (now > since[g]) {
		spent[g, what] += now - since[g]
		pieces[g] = pieces[g] sprintf("%s\t%d\t%d\t%s\n", what, since[g], now, more)
		since[g] = now
	}
}

# Returns the cycle in which a thread that left its hart in cycle `left`, and slept, was woken.
function woken(thread, left,    k) {
	for (k = next_wake[thread] + 1; k <= wakes[thread] && wake_ended[thread, k] <= left; k++)
		next_wake[thread] = k
	return k <= wakes[thread] ? wake_began[thread, k] : "never"
}

# Charges the time of goroutine `g` up to now to its state. One that runs does so while its
# thread has a hart.
function charge(g, now,    thread, awake) {
	thread = tid[g]
	if (state[g] == "running" && thread && !(thread in on_hart)) {
		awake = slept[thread] ? woken(thread, left_hart[thread]) : since[g]
		spend(g, "asleep", awake == "never" || awake > now ? now : awake)
		spend(g, "no hart", now)
	} else if (state[g] == "waiting") {
		reasons[g, reason[g]] += now - since[g]
		spend(g, "waiting", now, reason[g])
	} else if (state[g] in shown)
		spend(g, state[g], now, state[g] == "running" ? hart_of[g] : "")
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
	line[goid[g]] = sprintf("%5d  %10d  %10d  %10d  %10d  %10d  %10d  %10d  %10d  %-28s %s", goid[g], born[g], now - born[g],
		spent[g, "running"], spent[g, "no hart"], spent[g, "asleep"], spent[g, "runnable"], spent[g, "waiting"],
		spent[g, "syscall"], function_of[start[g]], parts[2])
	for (i = 1; i <= nstates; i++) {
		total[states[i]] += spent[g, states[i]]
		delete spent[g, states[i]]
	}
	for (key in reasons)
		if (index(key, g SUBSEP) == 1)
			delete reasons[key]
	n = split(pieces[g], piece, "\n")
	for (i = 1; i < n; i++) {
		split(piece[i], parts, "\t")
		put("go", goid[g], parts[1], parts[2], parts[3], parts[4])
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
	sort = "LC_ALL=C sort -s -t '\t' -n -k 4,4 > " intervals
	waking = 512 # the kernel's TASK_WAKING
	nstates = split("running,no hart,asleep,runnable,waiting,syscall", states, ",")
	for (i = 1; i <= nstates; i++)
		shown[states[i]]
	while ((getline symbol < names) > 0) {
		split(symbol, parts, " ")
		sub(/^0*/, "", parts[1])
		function_of[parts[1]] = parts[3]
	}
}
FNR == NR {
	if ($4 == "wakeup") {
		thread = field("pid")
		wakes[thread]++
		wake_began[thread, wakes[thread]] = field("began") + 0
		wake_ended[thread, wakes[thread]] = $1
	}
	next
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
		hart_of[g] = $3
		threads[tid[g]]
		on_hart[tid[g]]
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
		if (state[g] == "running" && tid[g] && (tid[g] == prev || tid[g] == next_one)) {
			charge(g, $1)
			hart_of[g] = $3
		}
	switch_at[++nswitches] = $1
	if (first)
		put("hart", $3, field("prev_comm") "[" prev "]", switched[$3], $1)
	switched[$3] = $1
	delete on_hart[prev]
	left_hart[prev] = $1
	slept[prev] = field("prev_state") != 0 && field("prev_state") != waking
	on_hart[next_one]
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
	close(sort)
	print "Goroutines, in cycles of the hardware. running: on a hart; no hart: its thread waits for one; asleep: its thread"
	print "sleeps in the kernel; runnable: no thread runs it; waiting: for another goroutine or the runtime; syscall: in a"
	print "system call."
	printf "%5s  %10s  %10s  %10s  %10s  %10s  %10s  %10s  %10s  %-28s %s\n", "goid", "created", "life", "running", "no hart",
		"asleep", "runnable", "waiting", "syscall", "function", "waits most for"
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
