# SPDX-License-Identifier: Apache-2.0
# Whether tr-unwind's threads have the names that their tasks had last:
# awk -f task-names.awk FOLDED PROBES, of stacks by thread, and of the hits as text. The exit
# status is 1 if a task that ran has another name, or none, or if a thread is of no task.
function field(name,    line) {
	line = $0
	if (!match(line, " " name "=")) return ""
	line = substr(line, RSTART + RLENGTH)
	if (substr(line, 1, 1) != "\"") return substr(line, 1, match(line " ", " ") - 1)
	line = substr(line, 2)
	return substr(line, 1, index(line, "\"") - 1)
}
function wrong(pid, got, wanted) { print "names: pid " pid ": " got ", not " wanted; failed = 1 }
FNR == 1 { file++ }
file == 1 && match($0, /^[^;]*\[[0-9]+\];/) {
	name = substr($0, 1, RLENGTH - 1)
	pid = name
	sub(/.*\[/, "", pid)
	sub(/\[[0-9]*\]$/, "", name)
	got[pid + 0] = name
	next
}
file == 2 && $4 == "fork" { comm[field("child")] = field("comm") }
file == 2 && ($4 == "exec" || $4 == "comm") { comm[field("pid")] = field("comm") }
file == 2 && $4 == "switch" { ran[field("next")] }
END {
	for (pid in ran)
		if (pid + 0 && pid in comm) {
			checked++
			if (got[pid] != comm[pid]) wrong(pid, got[pid], comm[pid])
		}
	for (pid in got)
		if (pid + 0 && !(pid in ran)) wrong(pid, got[pid], "a task that ran")
	print "names of " checked " tasks " (failed ? "differ" : "are those that the kernel gave them")
	exit failed || !checked
}
