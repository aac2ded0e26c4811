# SPDX-License-Identifier: Apache-2.0
# Latencies of the requests of go-requests.go, from intervals of linux-go.awk and hits of
# linux-go-requests.probes: a line of a table, -v procs=N. Each cycle of a request is in the
# state of the goroutine that has it: the client, until a worker accepts it, and from the
# reply on; the worker in between. -v header=1: the head of the table alone.

# Adds the states of a goroutine from a to b. Returns the cycles that have one.
function spend(id, a, b, part,    i, low, high, what, sum) {
	for (i = 1; i <= n[id]; i++) {
		low = from[id, i] > a ? from[id, i] : a
		high = to[id, i] < b ? to[id, i] : b
		if (low >= high)
			continue
		what = state[id, i] == "waiting" && part == "queue" ? "queued" : state[id, i]
		spent[what] += high - low
		sum += high - low
	}
	return sum
}
function percent(what) { return all ? 100 * spent[what] / all : 0 }

BEGIN {
	if (header) {
		print "Latency of requests in cycles, by GOMAXPROCS; and what they are made of, in percent. queued: no worker has"
		print "accepted it; other states are those of make linux-go, of the goroutine that has it; collector: Go's collector"
		print "works at the time, in any state."
		printf "%5s  %8s  %10s  %10s  %10s  %7s  %8s  %6s  %8s  %7s  %7s  %9s\n", "procs", "requests", "p50", "p99", "max",
			"queued", "runnable", "other", "running", "no hart", "syscall", "collector"
		exit
	}
}
FNR == NR {
	split($0, part, "\t")
	if (part[1] == "go") {
		id = part[2]
		n[id]++
		state[id, n[id]] = part[3]; from[id, n[id]] = part[4]; to[id, n[id]] = part[5]
	} else if (part[1] == "gc") {
		collections++
		gc_from[collections] = part[4]; gc_to[collections] = part[5]
	}
	next
}
$4 == "sent" { client[field("number")] = field("goid"); sent[field("number")] = $1 }
$4 == "accepted" { worker[field("number")] = field("goid"); accepted[field("number")] = $1 }
$4 == "replied" { replied[field("number")] = $1 }
$4 == "received" {
	r = field("number")
	whole = $1 - sent[r]
	latency[++count] = whole
	sum = spend(client[r], sent[r], accepted[r], "queue") + spend(worker[r], accepted[r], replied[r]) + \
		spend(client[r], replied[r], $1)
	if (sum != whole) {
		print "linux-go-latency: request " r ": " sum " of " whole " cycles are in a state" > "/dev/stderr"
		failed = 1
		exit 1
	}
	all += whole
	for (i = 1; i <= collections; i++) {
		low = gc_from[i] > sent[r] ? gc_from[i] : sent[r]
		high = gc_to[i] < $1 ? gc_to[i] : $1
		if (high > low)
			collector += high - low
	}
}
END {
	if (header || failed)
		exit failed
	if (!count) {
		print "linux-go-latency: no request" > "/dev/stderr"
		exit 1
	}
	for (i = 2; i <= count; i++)
		for (k = i; k > 1 && latency[k] < latency[k - 1]; k--) {
			swap = latency[k]; latency[k] = latency[k - 1]; latency[k - 1] = swap
		}
	printf "%5d  %8d  %10d  %10d  %10d  %7.1f  %8.1f  %6.1f  %8.1f  %7.1f  %7.1f  %9.1f\n", procs, count,
		latency[int((count + 1) / 2)], latency[int(count * 0.99 + 0.99)], latency[count], percent("queued"),
		percent("runnable"), percent("waiting"), percent("running"), percent("no hart"), percent("syscall"),
		100 * collector / all
}
