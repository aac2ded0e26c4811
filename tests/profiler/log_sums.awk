# SPDX-License-Identifier: Apache-2.0
# Compares the logs of all processes with the log for all, in two runs of programs that make the
# same calls: awk -f log_sums.awk [-v least=PROCESSES] PROCESS GLOBAL, both of which are the output
# of follow-log. The span of the logs is the whole run.
#
# A process's log must have the calls that it has executed since it was forked or began its program.
# The sums over all processes, and what they executed before they began another program, must be the
# log for all, function by function by their name; and that must be what all
# processes executed in its own run.
FNR == 1 { run++ }
$1 == "index" { global[$2, $3] = $4; if ($4 + 1 > names) names = $4 + 1 }
$1 == "life" {
	n = ++lives[run]
	life_pid[run, n] = $2; life_program[run, n] = $4
	if (!((run, $2) in last) || $3 > life_number[run, last[run, $2]]) last[run, $2] = n
	life_number[run, n] = $3
	for (i = 5; i <= NF; i++) {
		split($i, pair, ":")
		executed[run, n, pair[1]] = pair[2]
		all[run, pair[1]] += pair[2]
	}
}
$1 == "log" && $4 == "whole" && !((run, $3) in log_of) { log_of[run, $3] = $0; log_pid[run, ++logs[run]] = $3 }
function trouble(text) { if (wrong++ < 20) print "log_sums: " text }
# Adds the log of a process to the sums.
function add_log(pid,    n, i, row, pair, g, life, calls, count) {
	count = split(log_of[1, pid], row)
	if (!((1, pid) in last)) { trouble("process " pid " has a log, and executed nothing"); return }
	life = last[1, pid]
	for (i = 13; i <= count; i++) {
		split(row[i], pair, ":")
		g = global[life_program[1, life], pair[1]]
		calls[g] += pair[2]; sum[g] += pair[2]
	}
	for (g = 0; g < names; g++)
		if (calls[g] + 0 != executed[1, life, g] + 0)
			trouble("process " pid ": " g ": " calls[g] + 0 " calls in its log, executed " executed[1, life, g] + 0)
	has_log[life]
}
END {
	for (k = 1; k <= logs[1]; k++) add_log(log_pid[1, k])
	for (n = 1; n <= lives[1]; n++) {
		programs[life_program[1, n]]
		if (n in has_log) continue
		if (last[1, life_pid[1, n]] == n) trouble("process " life_pid[1, n] " has no log")
		ended++
		for (g = 0; g < names; g++) sum[g] += executed[1, n, g]
	}
	count = split(log_of[2, 0], row)
	if (!count) trouble("there is no log for all")
	for (i = 13; i <= count; i++) { split(row[i], pair, ":"); together[pair[1]] = pair[2] }
	for (g = 0; g < names; g++) {
		if (together[g] + 0 != sum[g] + 0) trouble("name " g ": " together[g] + 0 " calls in the log for all, " sum[g] + 0 " in the sum of logs")
		if (together[g] + 0 != all[2, g] + 0) trouble("name " g ": " together[g] + 0 " calls in the log for all, executed " all[2, g] + 0)
		calls += together[g]
		functions += together[g] > 0
	}
	if (logs[1] < least) trouble(logs[1] + 0 " processes have logs, not " least)
	for (p in programs) nprograms++
	printf "%d logs of processes of %d programs, %d programs before those: %d calls of %d names: %s\n",
		logs[1], nprograms, ended, calls, functions, wrong ? wrong " WRONG" : "the sums are the log for all"
	exit wrong || !calls
}
