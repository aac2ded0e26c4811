# SPDX-License-Identifier: Apache-2.0
# Compares what threads waited for, by `tr-fold --off-cpu --by thread`, with the switches and
# wake-ups that tr-replay prints: for each pid the cycles blocked, runnable and preempted, or of
# the idle task.
#
#   awk -f off-cpu.awk [-v whole=1] [-v least=ROWS] [-v execs=THREADS] HITS FOLDED
#
# A hit of a switch is where the kernel decides, and the hart has the other thread from the next hit
# of `switched` on, which is the instruction that changes tp or sp. Without names of threads
# (whole) the sums are those of all threads. There are at least so many sums.
# Of an unknown reason are the waits of so many threads (execs): an exec by a thread that leads no
# process makes another thread of it, without a switch.
function field(name,    i) {
	for (i = 5; i <= NF; i++)
		if (index($i, name "=") == 1) return substr($i, length(name) + 2) + 0
	return ""
}
function wrong(text) { print "off-cpu: " text; failed = 1 }
FNR == 1 { file++ }
file == 1 && $4 == "switched" {
	if (!($3 in undone)) wrong("not switched before: " $0)
	cycle[undone[$3]] = $1 + 0
	delete undone[$3]
	next
}
file == 1 && ($4 == "switch" || $4 == "wakeup") {
	cycle[++hits] = $1 + 0
	if ($4 == "switch") {
		if ($3 in undone) wrong("hart " $3 " never had the thread before: " $0)
		undone[$3] = hits
	}
	is_switch[hits] = $4 == "switch"
	pid[hits] = is_switch[hits] ? field("prev") : field("pid")
	value[hits] = is_switch[hits] ? field("prev_state") : field("began")
	to[hits] = field("next")
	next
}
file == 2 && !/;\[at the end\];/ {
	thread = $0
	sub(/;.*/, "", thread)
	if (!match($0, /;\[(blocked or runnable|blocked|runnable|preempted|idle task|no thread|unknown reason)\]/)) {
		wrong("no reason: " $0)
		next
	}
	reason = substr($0, RSTART + 2, RLENGTH - 3)
	all += $NF
	if (reason == "unknown reason" || reason == "no thread") {
		unknown += $NF
		threads += !(thread in execed)
		execed[thread] = 1
		next
	}
	sub(/.*\[/, "", thread)
	got[whole ? reason : thread + 0 " " reason] += $NF
}
# Sums the waits into want[].
function sum_waits(    i, p, now, left, state, woken) {
	for (i = 1; i <= hits; i++) {
		p = pid[i]
		if (i in ended) continue
		if (!is_switch[i]) {
			if (p in left && state[p] && !(p in woken)) woken[p] = value[i]
			continue
		}
		now = cycle[i]
		end_wait(to[i], now, left, state, woken)
		left[p] = now
		state[p] = value[i]
		delete woken[p]
	}
}
function add(p, reason, cycles) {
	want[whole ? reason : p " " reason] += cycles
}
function end_wait(p, now, left, state, woken,    at) {
	if (!(p in left)) return
	at = p in woken && woken[p] > left[p] ? woken[p] : left[p]
	if (p == 0) add(p, "idle task", now - left[p])
	else if (!state[p]) add(p, "preempted", now - left[p])
	else if (!(p in woken)) add(p, "blocked or runnable", now - left[p])
	else {
		if (at > left[p]) add(p, "blocked", at - left[p])
		add(p, "runnable", now - at)
	}
	delete left[p]
}
END {
	for (hart in undone) ended[undone[hart]] = 1 # the run ends in a switch
	sum_waits()
	for (row in want) {
		rows++
		if (got[row] + 0 != want[row]) wrong((whole ? "" : "pid ") row ": " got[row] + 0 " cycles, not " want[row])
	}
	for (row in got)
		if (!(row in want)) wrong((whole ? "" : "pid ") row ": " got[row] " cycles, of which no hit tells")
	if (rows < (least ? least : 1)) wrong(rows + 0 " sums")
	if (threads + 0 != execs + 0) wrong(threads + 0 " threads wait for an unknown reason, " unknown " of " all " cycles")
	if (failed) exit 1
	printf "off-cpu: %d sums by %sreason are equal, %.0f of %.0f cycles are of an unknown reason\n", rows, whole ? "" : "thread and ", unknown, all
}
