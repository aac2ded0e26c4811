# SPDX-License-Identifier: Apache-2.0
# The system calls in a log of `strace -f -o`: awk -f perturb-calls-strace.awk STRACE_TXT.
# A line has PROCESS NAME CALLS ERRORS OPEN, as perturb-calls.awk writes them, in no order;
# processes are numbered from 1 in the order of their numbers in the log, which is that of
# their forks. Open are the calls that did not return.

# Returns what follows the last ") = " of a line, "" if it has none.
function result_of(line,	rest) {
	rest = ""
	while (match(line, /\) +=( |$)/)) {
		line = substr(line, RSTART + RLENGTH)
		if (line ~ /^(-?[0-9]+|0x[0-9a-f]+|\?)/) rest = line
	}
	return rest
}
# A call begins; a part of its line may follow later.
function begin(name) { calls[tid, name]++; names[name]; text[tid] = "" }
function end(name, result) {
	text[tid] = text[tid] $0
	# A child of the program, or a thread: where it joins the process of its parent.
	if (name ~ /^clone3?$/ && result ~ /^[0-9]+/ && text[tid] ~ /CLONE_THREAD/) leader_of[result + 0] = tid
	if (result ~ /^\?($| *$)/) return # it never returns
	ended[tid, name]++
	if (result ~ /^(-1|\?) +(E|\(errno)/) errors[tid, name]++
}
{ tid = $1; sub(/^[0-9]+ +/, ""); if (tid !~ /^[0-9]+$/) wrong("no thread's number") ; tids[tid] }
function wrong(why) { printf "perturb-calls-strace: line %d: %s\n", NR, why > "/dev/stderr"; failed = 1; exit 2 }
/^(---|\+\+\+) / { next }
/^<\.\.\. [a-z0-9_]+ resumed>/ {
	name = $2
	if (!/ <unfinished \.\.\.>$/) end(name, result_of($0))
	next
}
match($0, /^[a-z0-9_]+\(/) {
	name = substr($0, 1, RLENGTH - 1)
	begin(name)
	if (/ <unfinished \.\.\.>$/) { text[tid] = $0; next }
	if (result_of($0) == "") wrong("a call without a result")
	end(name, result_of($0))
	next
}
{ wrong("neither a call nor a signal") }
END {
	if (failed) exit 2
	if (!NR) { print "perturb-calls-strace: an empty log" > "/dev/stderr"; exit 2 }
	for (tid in tids) {
		for (leader = tid; leader in leader_of; leader = leader_of[leader]) continue
		process[tid] = leader
		is_leader[leader]
	}
	for (tid in is_leader) { # its number: how many are not greater
		number[tid] = 0
		for (other in is_leader) number[tid] += other + 0 <= tid + 0
	}
	for (tid in tids)
		for (name in names)
			if ((tid, name) in calls || (tid, name) in ended) {
				key = number[process[tid]] " " name
				sum[key] += calls[tid, name]; all_ended[key] += ended[tid, name]; failures[key] += errors[tid, name]
			}
	for (key in sum) print key, sum[key], failures[key], sum[key] - all_ended[key]
}
