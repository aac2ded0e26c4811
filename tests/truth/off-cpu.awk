# SPDX-License-Identifier: Apache-2.0
# Compares what the threads of Linux on one hart waited for, by `tr-fold --off-cpu --by thread`,
# with the switches and wake-ups that tr-replay prints: for each pid the cycles blocked, runnable
# and preempted, or of the idle task.
#
#   awk -f off-cpu.awk HITS FOLDED
#
# A hit of a switch is at the first instruction of __switch_to, and the thread changes D cycles
# later, on the model always the same number. D is found from one pid, and must be right for all.
# Of an unknown reason may be at most a thousandth of the cycles: an exec by a thread that leads no
# process makes another thread of it, without a switch.
function field(name,    i) {
	for (i = 5; i <= NF; i++)
		if (index($i, name "=") == 1) return substr($i, length(name) + 2) + 0
	return ""
}
function wrong(text) { print "off-cpu: " text; failed = 1 }
FNR == 1 { file++ }
file == 1 && ($4 == "switch" || $4 == "wakeup") {
	cycle[++hits] = $1 + 0
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
		next
	}
	sub(/.*\[/, "", thread)
	got[thread + 0 " " reason] += $NF
}
# Sums the waits into want[], and the number of those blocked by pid into count[].
function sum_waits(delay,    i, p, now, left, state, woken) {
	delete want
	delete count
	for (i = 1; i <= hits; i++) {
		p = pid[i]
		if (!is_switch[i]) {
			if (p in left && state[p] && !(p in woken)) woken[p] = value[i]
			continue
		}
		now = cycle[i] + delay
		end_wait(to[i], now, left, state, woken)
		left[p] = now
		state[p] = value[i]
		delete woken[p]
	}
}
function end_wait(p, now, left, state, woken,    at) {
	if (!(p in left)) return
	at = p in woken && woken[p] > left[p] ? woken[p] : left[p]
	if (p == 0) want[p " idle task"] += now - left[p]
	else if (!state[p]) want[p " preempted"] += now - left[p]
	else if (!(p in woken)) want[p " blocked or runnable"] += now - left[p]
	else {
		if (at > left[p]) want[p " blocked"] += at - left[p]
		want[p " runnable"] += now - at
		count[p] += at > left[p]
	}
	delete left[p]
}
END {
	sum_waits(0)
	# The pid that was blocked once, and for long: its wait is shorter by the delay.
	for (p in count)
		if (count[p] == 1 && want[p " blocked"] > 10000) one = one == "" || p + 0 < one + 0 ? p : one
	delay = want[one " blocked"] - got[one " blocked"]
	sum_waits(delay)
	for (row in want) {
		rows++
		if (got[row] + 0 != want[row]) wrong("pid " row ": " got[row] + 0 " cycles, not " want[row])
	}
	for (row in got)
		if (!(row in want)) wrong("pid " row ": " got[row] " cycles, of which no hit tells")
	if (rows < 50 || delay < 0) wrong(rows + 0 " sums with a delay of " delay)
	if (unknown * 1000 > all) wrong(unknown " of " all " cycles are of an unknown reason")
	if (failed) exit 1
	printf "off-cpu: %d sums by thread and reason are equal, %d of %d cycles are of an unknown reason\n", rows, unknown, all
}
