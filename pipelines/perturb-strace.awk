# SPDX-License-Identifier: Apache-2.0
# What strace reports of system calls beside what they took: awk -f perturb-strace.awk
# UNISTD_H STRACE_TXT WITHOUT WITH, the last two from probes.

BEGIN { clock = 3200; ROWS = 12 } # cycles per microsecond: the nominal clock
function number(name) { return match($0, " " name "=-?[0-9]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
FNR == 1 { file++ }
file == 1 {
	if ($1 != "#define" || $2 !~ /^__NR/) next
	if ($2 ~ /^__NR3264_/) number_of[$2] = $3 # with another name on 64 bits, the first below
	sub(/^__NR(3264)?_/, "", $2)
	if ($3 ~ /^[0-9]+$/) name_of[$3] = $2
	else if ($3 in number_of) { name_of[number_of[$3]] = $2; delete number_of[$3] }
	next
}
# PID NAME(...) = RESULT <SECONDS>
file == 2 {
	pids[$1]
	if ($0 ~ /<unfinished \.\.\.>$/) { match($0, /^[0-9]+ +[a-z0-9_]+/); next }
	if (match($0, /<[0-9.]+>$/)) {
		seconds = substr($0, RSTART + 1, RLENGTH - 2)
		if (match($0, /<\.\.\. [a-z0-9_]+ resumed>/)) name = substr($0, RSTART + 5, RLENGTH - 14)
		else { match($0, /^[0-9]+ +[a-z0-9_]+\(/); name = $0; sub(/^[0-9]+ +/, "", name); sub(/\(.*/, "", name) }
		told[name]++; told_time[name] += seconds * 1e6
	}
	next
}
# Only what strace has seen; in the undisturbed run, what the first fork began.
$4 == "begin" { split("", open); split("", kin); forks = 0 }
$4 == "fork" { if (!forks++ || number("parent") in kin) kin[number("child")] }
$4 == "syscall" { pid = number("pid"); open[pid] = $1; what[pid] = name_of[number("number")] }
$4 == "syscall_result" {
	pid = number("pid")
	if (pid in open && (file == 3 ? pid in kin : pid in pids)) {
		calls[file, what[pid]]++; time[file, what[pid]] += ($1 - open[pid]) / clock
		names[what[pid]]
	}
	delete open[pid]
}
function most(	name, best) {
	for (name in names)
		if (!(name in done) && (best == "" || told[name] > told[best] || told[name] == told[best] && name < best)) best = name
	return best
}
function mean(time, count) { return count ? sprintf("%.1f", time / count) : "-" }
function row(name, a, b, c, d, e, f) { printf "%-16s %10s %10s %10s %12s %12s %12s\n", name, a, b, c, d, e, f }
END {
	print "strace: calls, and microseconds of a call on average"
	row("system call", "calls", "with it", "it says", "undisturbed", "with it", "it says")
	while ((name = most()) != "") {
		done[name]
		if (++rows <= ROWS) row(name, calls[3, name] + 0, calls[4, name] + 0, told[name] + 0, mean(time[3, name], calls[3, name]), \
			mean(time[4, name], calls[4, name]), mean(told_time[name], told[name]))
		all[3] += calls[3, name]; all[4] += calls[4, name]; all[2] += told[name]
	}
	row("all", all[3], all[4], all[2], "", "", "")
	for (name in names)
		if (calls[3, name] && told[name]) ratios[++nratios] = (told_time[name] / told[name]) / (time[3, name] / calls[3, name])
	for (i = 2; i <= nratios; i++) for (j = i; j > 1 && ratios[j] < ratios[j - 1]; j--) { r = ratios[j]; ratios[j] = ratios[j - 1]; ratios[j - 1] = r }
	printf "in short: %d of %d calls; the median of the times that it says is %.1f times the undisturbed\n", \
		all[2], all[4], ratios[int((nratios + 1) / 2)]
	exit !all[2]
}
