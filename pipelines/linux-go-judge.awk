# SPDX-License-Identifier: Apache-2.0
# Compares the events of Go's tracer, from linux-go-inband.awk in the order of their cycles,
# with the changes of states in hits of go.probes: each change that the tracer saw must be
# exactly one of the probes', the last one of that goroutine before its stamp or the first
# one after it. What only the probes saw is counted, and must be of a known kind.

function add(id, change, cycle, reason) {
	n[id]++
	changes[id, n[id]] = change
	cycles[id, n[id]] = cycle
	reasons[id, n[id]] = reason
}
function fail(text) {
	print "linux-go: " text > "/dev/stderr"
	failed = 1
}

BEGIN {
	accepted["GoCreate"] = " dead>runnable "
	accepted["GoStart"] = " runnable>running syscall>running "
	accepted["GoEnd"] = " running>dead "
	accepted["GoSched"] = " running>runnable "
	accepted["GoPreempt"] = " running>runnable running>preempted "
	accepted["GoUnblock"] = " waiting>runnable "
	accepted["GoSysCall"] = " running>syscall "
	accepted["GoSysExit"] = " syscall>runnable "
	split("GoStop GoSleep GoBlock GoBlockSend GoBlockRecv GoBlockSelect GoBlockSync GoBlockCond GoBlockNet GoBlockGC", blocks, " ")
	for (i in blocks)
		accepted[blocks[i]] = " running>waiting "
	known["running>copystack"] = "a stack grows"
	known["copystack>running"] = "a stack has grown"
	known["syscall>running"] = "a system call did not block"
	known["waiting>running"] = "the runtime goes on after what it does on its own stack"
	known["running>waiting"] = "the runtime does something on its own stack"
	known["idle>dead"] = "a goroutine is allocated"
	after_it["running>copystack"] = "copystack>running"
	after_it["running>waiting"] = "waiting>running"
	before_it["waiting>running"] = "running>waiting"
	before_it["syscall>running"] = "running>syscall"
}
FNR == NR { # of the tracer
	m++
	at[m] = $1; kind[m] = $3; goid[m] = $4
	next
}
$4 == "status" {
	change = field("old") ">" field("new")
	if (change == "dead>runnable") # it gets its number later
		created[field("g")] = $1
	else
		add(field("goid"), change, $1, field("reason"))
}
$4 == "goroutine" { add(field("goid"), "dead>runnable", created[field("g")], "") }
$4 == "preempt" { add(field("goid"), "running>preempted", $1, "") }
$4 == "preempted" { add(field("goid"), "preempted>waiting", $1, "") }
$4 == "world_stop" && m && $1 < at[m] { ended = $1 }
$4 == "world_start" && !began && m && $1 > at[1] { began = $1 }

# The tracer begins with the state of each goroutine, and ends with that of the last one,
# while the world is stopped.
function is_snapshot(e) {
	return (at[e] < began && kind[e] ~ /^(GoCreate|GoWaiting|GoInSyscall|GoStart)$/) || (at[e] > ended && kind[e] == "GoSched")
}
function fits(e, i) {
	return i >= 1 && i <= n[goid[e]] && !((goid[e], i) in used) && index(accepted[kind[e]], " " changes[goid[e], i] " ")
}

function match_event(e,    id, i, far) {
	id = goid[e]
	while (next_one[id] < n[id] && cycles[id, next_one[id] + 1] <= at[e])
		next_one[id]++
	i = next_one[id]
	if (kind[e] == "GoSysExit" && changes[id, i + 1] == "syscall>running") {
		joined++ # GoStart follows
		return
	}
	if (!fits(e, i) == !fits(e, i + 1)) {
		fail("cycle " at[e] ": " kind[e] " of goroutine " id ", which " (fits(e, i) ? "two changes" : "no change") " can be")
		return
	}
	if (!fits(e, i))
		i++
	used[id, i] = 1
	matched[kind[e]]++
	all++
	far = at[e] - cycles[id, i]
	if (!(kind[e] in least) || far < least[kind[e]])
		least[kind[e]] = far
	if (!(kind[e] in most) || far > most[kind[e]])
		most[kind[e]] = far
}

END {
	if (!m || !began) {
		fail("no event of the tracer, or no hit of a probe")
		exit 1
	}
	for (e = 1; e <= m; e++) {
		if (is_snapshot(e))
			snapshot++
		else if (kind[e] in accepted)
			match_event(e)
		else
			other[kind[e]]++
	}
	printf "%d events of the tracer: %d say what was when it began or ended, %d change a goroutine's state:\n", m, snapshot, all
	printf "  %-14s %6s  %s\n", "event", "count", "its stamp less the cycle of the change: least, most"
	for (k in matched)
		printf "  %-14s %6d  %d, %d\n", k, matched[k], least[k], most[k] | "sort"
	close("sort")
	printf "%d more begin a change that GoStart ends. others:\n", joined
	for (k in other)
		printf "  %-14s %6d\n", k, other[k] | "sort"
	close("sort")
	for (id in n)
		for (i = 1; i <= n[id]; i++) {
			if ((id, i) in used)
				continue
			change = changes[id, i]
			if (cycles[id, i] < began)
				early++
			else if (cycles[id, i] > at[m])
				late++
			else {
				only[change (change == "running>waiting" ? ", " reasons[id, i] : "")]++
				if (!(change in known) || (change in before_it && changes[id, i - 1] != before_it[change]) ||
				    (change in after_it && changes[id, i + 1] != after_it[change]))
					fail("cycle " cycles[id, i] ": goroutine " id ": " change ", which the tracer did not see")
				during++
			}
		}
	printf "only the probes saw %d changes before the tracer, %d after it, and %d in between:\n", early, late, during
	for (k in only) {
		change = k
		sub(/,.*/, "", change)
		printf "  %6d  %s: %s\n", only[k], k, known[change] | "sort"
	}
	close("sort")
	exit failed
}
