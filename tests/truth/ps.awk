# SPDX-License-Identifier: Apache-2.0
# Compares what the target's own tools print of its processes (ps of BusyBox, and
# /proc/PID/stat) with probes in a replay of the run:
#
#     awk -f ps.awk CONSOLE PROBES
#
# PROBES has the hits of linux.probes and those of `stat`, where the kernel begins a line of
# /proc/PID/stat, which is also what ps reads. Each line of the console is compared with the
# process table that follows from fork, exec, comm, exit, switch and wakeup alone, and with
# the task's own members at that moment.

function number(name) { return match($0, " " name "=-?[0-9]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) + 0 : "" }
function text(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
function has(value, bit) { return int(value / bit) % 2 }

# The letter of a state, as array get_task_state() of the kernel has it.
function letter(state) {
	if (has(state, 2) && has(state, 1024)) return "I"
	return has(state, 64) ? "P" : has(state, 32) ? "Z" : has(state, 16) ? "X" : has(state, 8) ? "t" : \
		has(state, 4) ? "T" : has(state, 2) ? "D" : has(state, 1) ? "S" : "R"
}
# The kernel adds its work to the name of a worker, and shows names of its threads that do
# not fit into comm, but ps only 15 characters.
function same_name(shown, comm) { return shown == comm || index(shown, comm) == 1 && (comm ~ /^kworker\// || length(comm) == 15) }

function wrong(what, is, wanted) {
	if (++differ <= 10) printf "ps: list %d, pid %d: %s is %s on the console, %s\n", list, line_pid, what, is, wanted
	return 0
}

# --- the console: lists of ps and of cat take turns

function begin_list(ps) { if (!lists || is_ps[lists] != ps) is_ps[++lists] = ps; return ++lines[lists] }

FNR == NR {
	sub(/\r$/, "")
	if (match($0, /^[0-9]+ \(.*\) [A-Za-z] [0-9]+ /)) {
		i = begin_list(0)
		shown_pid[lists, i] = $1
		shown_comm[lists, i] = substr($0, index($0, "(") + 1, index($0, ") ") - index($0, "(") - 1)
		rest = substr($0, index($0, ") ") + 2)
		split(rest, part, " ")
		shown_state[lists, i] = part[1]; shown_ppid[lists, i] = part[2]
	} else if (match($0, /^ *[0-9]+ [^ ]+ +[0-9]+[a-z]? [A-Za-z][A-Za-z<]* +/)) {
		i = begin_list(1)
		shown_pid[lists, i] = $1; shown_state[lists, i] = substr($4, 1, 1)
		command = substr($0, RLENGTH + 1)
		shown_argv[lists, i] = command
		if (command ~ /^\[.*\]$/) { shown_comm[lists, i] = substr(command, 2, length(command) - 2); shown_argv[lists, i] = "" }
		else if (match(command, /^{[^}]*} /)) { shown_comm[lists, i] = substr(command, 2, RLENGTH - 3); shown_argv[lists, i] = substr(command, RLENGTH + 1) }
		else { sub(/ .*/, "", command); sub(/.*\//, "", command); shown_comm[lists, i] = command }
	}
	next
}

# --- the process table

$4 == "fork" {
	pid = number("child")
	tgid[pid] = number("tgid"); ppid[pid] = number("ppid"); comm[pid] = text("comm"); state[pid] = 0
	argv[pid] = argv[number("parent")]; ended[pid] = 0; born[pid] = NR
}
$4 == "exec" { pid = number("pid"); comm[pid] = text("comm"); argv[pid] = text("argv") }
$4 == "comm" { comm[number("pid")] = text("comm") }
# A process whose parent ends becomes a child of process 1.
$4 == "exit" {
	pid = number("pid"); ended[pid] = NR
	if (pid == number("tgid")) for (child in ppid) if (ppid[child] == pid) ppid[child] = 1
}
# A task that sleeps runs again only after a wake-up.
$4 == "switch" {
	pid = number("prev")
	state[pid] = ended[pid] && has(number("prev_state"), 128) ? 32 : number("prev_state")
	slept[pid] = state[pid] != 0
	pid = number("next")
	if (state[pid] && ++differ <= 10) printf "ps: pid %d runs after state %d without a wake-up\n", pid, state[pid]
	woken += slept[pid] && !state[pid]
	state[pid] = 0
}
$4 == "wakeup" { state[number("pid")] = 0 }

# --- a line of a list

# What lived all the while must be in the list.
function end_list(	pid) {
	for (pid in tgid)
		if (tgid[pid] == pid && born[pid] < begun && !ended[pid] && !(pid in listed)) { line_pid = pid; wrong("it", "missing", "alive") }
	if (line != lines[list]) { line_pid = 0; wrong("length", lines[list] + 0, line " were read") }
	split("", listed); line = 0
}
function compare_table(pid) {
	if (!(pid in tgid) || tgid[pid] != pid) return wrong("it", "listed", "no process by the probes")
	if (shown_state[list, line] != letter(state[pid])) return wrong("state", shown_state[list, line], letter(state[pid]) " by switches and wake-ups")
	if (!same_name(shown_comm[list, line], comm[pid])) return wrong("name", shown_comm[list, line], comm[pid] " by exec and comm")
	if (is_ps[list]) {
		if (shown_state[list, line] != "Z" && shown_argv[list, line] != substr(argv[pid], 1, length(shown_argv[list, line]))) return wrong("argv", shown_argv[list, line], argv[pid] " by exec")
	} else if (shown_ppid[list, line] != ppid[pid]) return wrong("parent", shown_ppid[list, line], ppid[pid] " by fork and exit")
	return 1
}
function compare_task(pid) {
	if (shown_pid[list, line] != pid) return wrong("pid", shown_pid[list, line], pid " was read")
	if (shown_state[list, line] != letter(number("state") + number("exit"))) return wrong("state", shown_state[list, line], number("state") " in the task")
	if (!same_name(shown_comm[list, line], text("comm"))) return wrong("name", shown_comm[list, line], text("comm") " in the task")
	if (!is_ps[list] && shown_ppid[list, line] != number("ppid")) return wrong("parent", shown_ppid[list, line], number("ppid") " in the task")
	return 1
}
$4 == "stat" {
	if (number("reader") != reader) { if (list) end_list(); list++; reader = number("reader"); begun = NR }
	line++; line_pid = number("pid"); listed[line_pid]
	by_task += compare_task(line_pid)
	by_table += compare_table(line_pid)
	states[shown_state[list, line]]++; total++
}
END {
	if (list) end_list()
	if (list != lists) { line_pid = 0; wrong("lists", lists + 0, list + 0 " were read") }
	printf "ps: %d lines in %d lists of the target's own: %d equal the tasks at that moment, %d the process table by the stock probes; %d runs after a sleep and a wake-up;", \
		total, lists, by_task, by_table, woken
	for (i = 1; i <= 9; i++) { s = substr("RSDTtZXIP", i, 1); if (s in states) printf " %s %d", s, states[s] }
	print ""
	exit differ > 0 || total == 0
}
