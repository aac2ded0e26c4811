# SPDX-License-Identifier: Apache-2.0
# Decodes the trace that Go's execution tracer wrote (format of Go 1.19), from hits of
# linux-go-trace.probes, and places each of its stamps on the cycle in which the program
# read the time for it: the stamps of a P are in the order of the reads there. Prints cycle,
# P, event, goroutine, for each event with a stamp. -v names=FILE: nm of the program.

function fail(text) {
	print "linux-go: " text > "/dev/stderr"
	failed = 1
	exit 1
}
function byte() {
	if (at > length(bytes))
		fail("Go's trace is cut off")
	at += 2
	return value_of[substr(bytes, at - 2, 2)]
}
# Returns a number of up to 64 bits; one near 2^64 is negative.
function varint(    b, n, low, scale) {
	scale = 1
	do {
		b = byte()
		if (n++ < 7) {
			low += b % 128 * scale
			scale *= 128
		} else if (b % 128 && b % 128 != 127 && n < 10)
			fail("a number in Go's trace is too large")
	} while (b >= 128)
	return n == 10 ? low - scale : low
}
function function_at(address,    i, found) {
	if (!(address in function_cache)) {
		for (i = 1; i <= nfunctions; i++)
			if (starts[i] <= address && (!found || starts[i] > starts[found]))
				found = i
		function_cache[address] = names_of[found]
	}
	return function_cache[address]
}
function hex(text,    i, n) {
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Takes an event with a stamp, which must be that of the next read of its P.
function take(kind, args,    k, expected, what) {
	k = ++used[p]
	if (k > reads[p])
		fail("P " p " has more events than reads of the time")
	expected = int(ticks_read[p, k] / 16)
	if (expected == last[p])
		expected++
	last[p] += args[1]
	if (last[p] != expected)
		fail("event " k " of P " p " has the stamp " last[p] ", its read of the time gives " expected)
	if (kind == 14 || kind == 38 || kind == 41)
		running[p] = args[2]
	what = kind == 13 || kind == 14 || kind == 21 || (kind >= 38 && kind <= 41) || kind == 29 || kind == 31 || kind == 32 ? \
		args[2] : running[p]
	printf "%d %d %s %d\n", cycle_read[p, k], p, kind in kinds ? kinds[kind] : "Other", what
	if (kind == 15 || kind == 16 || kind == 17 || kind == 18 || kind == 19 || kind == 20 || (kind >= 22 && kind <= 27) || kind == 42)
		running[p] = 0
	events++
}

function decode(    first, kind, n, i, end, args) {
	at = 33 # after the header
	while (at <= length(bytes)) {
		first = byte()
		kind = first % 64
		n = int(first / 64)
		if (kind == 37) { # a string
			varint()
			end = varint()
			at += 2 * end
			continue
		}
		end = n == 3 ? byte() * 2 + at : 0
		for (i = 1; end ? at < end : i <= n + 1; i++)
			args[i] = varint()
		if (end && at != end)
			fail("an event in Go's trace has another length")
		if (kind == 1) {
			p = args[1]
			last[p] = args[2]
		} else if (kind > 3)
			take(kind, args)
	}
	for (p in reads)
		if (reads[p] != used[p])
			fail("P " p " has " used[p] + 0 " events, and read the time " reads[p] " times for them")
	print "linux-go: " events " events of Go's tracer, " length(bytes) / 2 " bytes" > "/dev/stderr"
}

BEGIN {
	for (i = 0; i < 256; i++)
		value_of[sprintf("%02x", i)] = i
	n = split("Gomaxprocs ProcStart ProcStop GCStart GCDone GCSTWStart GCSTWDone GCSweepStart GCSweepDone GoCreate GoStart " \
		"GoEnd GoStop GoSched GoPreempt GoSleep GoBlock GoUnblock GoBlockSend GoBlockRecv GoBlockSelect GoBlockSync " \
		"GoBlockCond GoBlockNet GoSysCall GoSysExit GoSysBlock GoWaiting GoInSyscall HeapAlloc HeapGoal Timer " \
		"FutileWakeup String GoStart GoUnblock GoSysExit GoStart GoBlockGC", list, " ")
	for (i = 1; i <= n; i++)
		kinds[i + 3] = list[i]
	while ((getline symbol < names) > 0) {
		split(symbol, parts, " ")
		if (parts[2] ~ /^[tT]$/) {
			starts[++nfunctions] = hex(parts[1])
			names_of[nfunctions] = parts[3]
		}
	}
}
$4 == "stamp" && function_at(field("from")) == "runtime.traceEventLocked" {
	p = field("p") == "missing" ? -1 : field("p")
	k = ++reads[p]
	cycle_read[p, k] = $1
	ticks_read[p, k] = field("ticks")
}
$4 == "write" {
	data = field("data")
	if (!file && index(data, "676f20312e3139207472616365000000") == 1)
		file = field("pid") " " field("fd")
	if (file == field("pid") " " field("fd")) {
		if (data !~ /^[0-9a-f]+$/)
			fail("what the tracer wrote cannot be read")
		bytes = bytes data
	}
}
END {
	if (failed)
		exit 1
	if (!file)
		fail("the program wrote no trace")
	decode()
}
