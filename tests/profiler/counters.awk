# SPDX-License-Identifier: Apache-2.0
# Compares the run-time profiler's counters with the executions of entries in the same run:
# awk -f counters.awk [-v whole=1 | -v again=1] LIST COUNTS ENTRIES. LIST is what prof-extract
# --list prints; COUNTS has lines "PID INDEX COUNT" after a first line, of pid 0 for the sum of all processes;
# ENTRIES is what count-entries prints.
#
# Counted functions have the indexes 0, 1, ... in the order of LIST. Entries are replaced all at
# once: in a process none may be executed unreplaced after that (`late`), unless they were
# restored (again=1); nor before, if it was profiled from its first instruction (whole=1). Then
# all lives are profiled but `alone` of them.
FNR == 1 { file++; n = split($0, key, ","); split("", column); for (i = 1; i <= n; i++) column[key[i]] = i }
file == 1 {
	# The name is quoted if it has a comma: the other columns are counted from the end.
	n = split($0, cell, ",")
	if (FNR == 1 || n < 6) next
	address = cell[n - 4]; entry = cell[n - 2]
	listed[address] = entry
	if (entry == "near" || entry == "far") { index_of[address] = counted + 0; address_of[counted++] = address }
	next
}
file == 2 {
	if (FNR == 1) next
	if ($2 >= counted) { if ($3) trouble("process " $1 ": index " $2 " counts " $3); next }
	counter[$1, $2] = $3
	if (!($1 in pids)) { pids[$1]; pid_list[++npids] = $1 }
	next
}
FNR == 1 { next }
{
	n = split($0, cell, ",")
	pid = cell[1]; address = cell[column["address"]]
	# From the end, for the same reason.
	before = cell[n - 4]; late = cell[n - 3]; entered = cell[n - 2]; open = cell[n - 1]; inherited = cell[n]
	name[address] = cell[column["function"]]
	seen[pid]
	if (!(address in index_of)) {
		if (entered) trouble("process " pid ": " name[address] ": not to be counted (" listed[address] "), but replaced")
		refused += before
		next
	}
	life = pid "." cell[2]
	if (!(life in lives_seen)) { lives_seen[life] = pid; life_list[++nlives] = life }
	if (late && !again) trouble("process " pid ": " name[address] ": executed " late " times unreplaced after others were")
	# Of a life that is not profiled all executions are.
	if (before && whole) notes[life] = notes[life] "counters: process " pid ": " name[address] ": executed " before " times before it was replaced\n"
	early += before; opened += open; inherits += inherited
	if (entered) was_entered[life]
	if (entered && !(pid in is_profiled)) { is_profiled[pid]; profiled[++nprofiled] = pid }
	executed[pid, index_of[address]] += entered - open + inherited
	executed[0, index_of[address]] += entered - open + inherited
}
function trouble(text) { if (wrong++ < 20) print "counters: " text }
END {
	for (k = 1; k <= nlives; k++) {
		life = life_list[k]
		if (life in was_entered || lives_seen[life] in pids) { if (life in notes) { printf "%s", notes[life]; wrong++ } }
		else others++
	}
	if (whole && others != alone + 0) trouble(others " lives are not profiled")
	is_global = 0 in pids
	for (k = 1; k <= nprofiled; k++)
		if (!((pid = profiled[k]) in pids) && !is_global) trouble("process " pid ": has no counters")
	for (k = 1; k <= npids; k++) {
		pid = pid_list[k]
		if (pid != 0 && !(pid in seen)) trouble("process " pid ": has counters, and executed nothing")
		processes++
		for (i = 0; i < counted; i++) {
			if (counter[pid, i] != executed[pid, i] + 0)
				trouble("process " pid ": " address_of[i] " " name[address_of[i]] ": counter " counter[pid, i] + 0 ", executed " executed[pid, i] + 0)
			compared++
			calls += counter[pid, i]
			if (counter[pid, i]) used[i]
		}
	}
	for (i in used) functions++
	printf "%d processes, %d of %d functions called, %d calls counted", processes, functions, counted, calls
	if (others) printf "; %d lives not profiled", others
	if (early) printf "; %d before", early
	if (opened) printf "; %d left open", opened
	if (inherits) printf "; %d inherited", inherits
	print wrong ? "; " wrong " WRONG" : ": all equal"
	exit wrong || !calls
}
