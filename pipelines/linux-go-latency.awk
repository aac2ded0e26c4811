# SPDX-License-Identifier: Apache-2.0
# Latencies of the requests of go-requests.go, and what they are made of, from intervals of
# linux-go.awk, hits of linux-go-requests.probes, and the text of tr-unwind's stacks: lines of
# a table, -v harts=N -v procs=N; -v header=1: its head alone. hits.awk and linux-go-rows.awk
# precede it.
#
# A request is its client's until a worker gets it, which is when the worker no longer waits
# for one, and again from when the client no longer waits for the reply. Each of its cycles
# is in the state of the goroutine that has it; those that it runs are divided by the rows of
# its hart.

# The collector works in the cycles from a to b; a is in order.
function busy(a, b) {
	if (nbusy && a <= busy_to[nbusy]) {
		if (b > busy_to[nbusy])
			busy_to[nbusy] = b
		return
	}
	busy_from[++nbusy] = a
	busy_to[nbusy] = b
}
# Returns in how many cycles from a to b the collector works.
function collecting(a, b,    i, sum, low, high) {
	for (i = 1; i <= nbusy && busy_from[i] < b; i++) {
		low = busy_from[i] > a ? busy_from[i] : a
		high = busy_to[i] < b ? busy_to[i] : b
		if (low < high)
			sum += high - low
	}
	return sum + 0
}

# Goroutine `id` has request `r` from a to b. Requests of a goroutine do not overlap.
function own(id, r, a, b,    i) {
	if (a >= b)
		return
	for (i = ++spans[id]; i > 1 && span_from[id, i - 1] > a; i--) {
		span_from[id, i] = span_from[id, i - 1]
		span_to[id, i] = span_to[id, i - 1]
		span_request[id, i] = span_request[id, i - 1]
	}
	span_from[id, i] = a
	span_to[id, i] = b
	span_request[id, i] = r
	if (i < spans[id] && b > span_from[id, i + 1] || i > 1 && span_to[id, i - 1] > a)
		fail("goroutine " id " has two requests, of which one is " r)
}
# Returns the end of the last wait of goroutine `id` for a channel that ended behind a, up to b;
# or b.
function last_wake(id, a, b,    i, wake) {
	wake = b
	for (i = 1; i <= n[id] && to[id, i] <= b; i++)
		if (state[id, i] == "waiting" && more[id, i] == "chan receive" && to[id, i] > a)
			wake = to[id, i]
	return wake
}
# Returns when goroutine `id` no longer waits for a channel, from `now` on.
function wake_after(id, now,    i) {
	for (i = 1; i <= n[id] && to[id, i] <= now; i++)
		;
	return i <= n[id] && from[id, i] <= now && state[id, i] == "waiting" && more[id, i] == "chan receive" ? to[id, i] : now
}

# Charges the time from a to b, interval i of goroutine `id`, to parts of request `r`.
function charge(r, id, i, a, b,    what, collector) {
	what = state[id, i]
	if (what == "running") {
		piece(more[id, i], a, b, r)
		return
	}
	if (what == "runnable") {
		collector = collecting(a, b)
		spent[r, "collector"] += collector
		spent[r, "runnable"] += b - a - collector
	} else if (what == "no hart" || what == "asleep")
		spent[r, what] += b - a
	else if (what == "waiting" && more[id, i] == "chan send")
		spent[r, "queue"] += b - a
	else if (what == "waiting" && more[id, i] ~ /^(GC |wait for GC|preempted)/)
		spent[r, "collector"] += b - a
	else if (i > 1 && state[id, i - 1] == "running" && from[id, i] == a) {
		# Its stack will tell.
		wait_request[more[id, i - 1], from[id, i]] = r
		wait_cycles[more[id, i - 1], from[id, i]] = b - a
	} else
		spent[r, "other"] += b - a
}
# In the order of time, which pieces are in.
function charge_all(    k, j, id, i, low, high) {
	for (k = 1; k <= intervals; k++) {
		id = interval_of[k]
		i = interval[k]
		while (passed[id] < spans[id] && span_to[id, passed[id] + 1] <= from[id, i])
			passed[id]++
		for (j = passed[id] + 1; j <= spans[id] && span_from[id, j] < to[id, i]; j++) {
			low = span_from[id, j] > from[id, i] ? span_from[id, j] : from[id, i]
			high = span_to[id, j] < to[id, i] ? span_to[id, j] : to[id, i]
			charge(span_request[id, j], id, i, low, high)
		}
	}
}

function in_collector(node) {
	if (!(node in of_collector))
		of_collector[node] = node != "n0" && (name_of[func_of[node]] ~ collector_functions || in_collector(parent_of[node]))
	return of_collector[node]
}
function take(r, node, hart, low, high,    group) {
	if (in_collector(node))
		spent[r, "collector"] += high - low
	else
		for (group in part)
			spent[r, (group in column) ? group : "other"] += part[group]
	if ((hart, high) in wait_request)
		spent[wait_request[hart, high], in_collector(node) ? "collector" : "other"] += wait_cycles[hart, high]
}

function print_line(what, r, whole,    i) {
	printf "%5d  %5d  %-4s  %7s  %10d", harts, procs, what, r, whole
	for (i = 1; i <= nparts; i++)
		printf what == "all" ? "  %9.1f%%" : "  %10d", what == "all" ? 100 * total[parts[i]] / all : spent[r, parts[i]]
	print ""
}

BEGIN {
	nparts = split("queue,runnable,no hart,asleep,collector,other,commit,frontend,badspec,memory,core", parts, ",")
	for (i = 1; i <= nparts; i++)
		column[parts[i]]
	collector_functions = "^runtime\\.(gc[A-Z].*|GC|deductSweepCredit|sweepone|\\(\\*sweepLocked\\)\\.sweep|\\(\\*mheap\\)\\.reclaim|wbBufFlush.*)$"
	if (header) {
		print "Latencies of requests by harts and GOMAXPROCS, and what they are made of, in cycles: of the requests of rank p50, p99"
		print "and max, and of all, with the mean. queue: no worker has it. Of the goroutine that has it: runnable: Go has no P"
		print "for it; no hart: Linux has no hart for its thread; asleep: its thread sleeps in the kernel; collector: it runs"
		print "code of Go's collector, waits for it, or is runnable while the collector stops the world or has a P; other:"
		print "other waits. It runs: an instruction retires (commit), or the class of the stall."
		printf "%5s  %5s  %-4s  %7s  %10s", "harts", "procs", "of", "request", "cycles"
		for (i = 1; i <= nparts; i++)
			printf "  %10s", parts[i]
		print ""
		exit
	}
}
file == 1 {
	split($0, field_of, "\t")
	if (field_of[1] == "name" && field_of[3] ~ /^runtime\.(gcBgMarkWorker|bgsweep|bgscavenge|gcenable\.func[12])$/)
		collects[field_of[2]]
	else if (field_of[1] == "go") {
		id = field_of[2]
		i = ++n[id]
		interval_of[++intervals] = id
		interval[intervals] = i
		state[id, i] = field_of[3]; from[id, i] = field_of[4] + 0; to[id, i] = field_of[5] + 0; more[id, i] = field_of[6]
		if (id in collects && field_of[3] ~ /^(running|no hart|asleep)$/)
			busy(from[id, i], to[id, i])
	} else if (field_of[1] == "gc" && field_of[3] == "stopped")
		busy(field_of[4] + 0, field_of[5] + 0)
}
file == 2 && $4 == "sent" { client[field("number")] = field("goid"); sent[field("number")] = $1 + 0 }
file == 2 && $4 == "accepted" {
	r = field("number")
	worker[r] = field("goid")
	given[r] = last_wake(worker[r], last_reply[worker[r]] > sent[r] ? last_reply[worker[r]] : sent[r], $1 + 0)
}
file == 2 && $4 == "replied" { replied[field("number")] = $1 + 0; last_reply[field("goid")] = $1 + 0 }
file == 2 && $4 == "received" {
	r = field("number")
	received = field("began") + 0
	if (!(r in sent) || !(r in given) || !(r in replied))
		fail("request " r " is received, but was not sent, accepted and replied")
	back = wake_after(client[r], replied[r])
	own(client[r], r, sent[r], given[r])
	own(worker[r], r, given[r], back)
	own(client[r], r, back, received)
	request[++count] = r
	latency[r] = received - sent[r]
}
file == 3 && FNR == 1 { charge_all() }

END {
	if (header || failed)
		exit failed
	if (!count)
		fail("no request")
	for (i = 1; i <= count; i++) {
		r = request[i]
		sum = 0
		for (k = 1; k <= nparts; k++) {
			sum += spent[r, parts[k]]
			total[parts[k]] += spent[r, parts[k]]
		}
		if (sum != latency[r])
			fail(sprintf("request %s: %d of %d cycles are in a part", r, sum, latency[r]))
		all += sum
	}
	for (i = 2; i <= count; i++)
		for (k = i; k > 1 && latency[request[k]] < latency[request[k - 1]]; k--) {
			r = request[k]; request[k] = request[k - 1]; request[k - 1] = r
		}
	rank["p50"] = int((count + 1) / 2); rank["p99"] = int(count * 0.99 + 0.99); rank["max"] = count
	for (i = split("p50 p99 max", names, " "); i; i--)
		lines[i] = request[rank[names[i]]]
	for (i = 1; i <= 3; i++)
		print_line(names[i], lines[i], latency[lines[i]])
	print_line("all", count, all / count)
}
