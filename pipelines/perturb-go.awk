# SPDX-License-Identifier: Apache-2.0
# The execution trace of Go's runtime beside the exact profiles: awk -f perturb-go.awk
# WITHOUT.csv WITH.csv BEFORE.csv AFTER.csv BYTES VERDICT: parts of WITH, up to the call that
# starts the tracer and from the one that stops it; the bytes of the trace as decimal numbers,
# a line each; and what go tool trace says of it. The format is that of Go 1.19,
# internal/trace/parser.go.

BEGIN { FREQUENCY = 2; GC_START = 7; CREATE = 13; START = 14; STRING = 37; START_LOCAL = 38; START_LABEL = 41; clock = 3.2e9 }
FNR == 1 { file++ }
file < 5 && FNR == 1 { n = split($0, key, ","); for (i = 1; i <= n; i++) column[key[i]] = i; next }
file < 5 {
	split($0, cell, ",")
	name = cell[column["function"]]
	calls[file, name] += cell[column["calls"]]; total[file, name] += cell[column["total_cycles"]]
	if (name == "main.main") all[file] = cell[column["total_cycles"]] + cell[column["away_cycles"]]
	next
}
file == 5 { byte[FNR - 1] = $1; size = FNR; next }
{ verdict = $0 }

# Of 64 bits; a clock that went back gives a negative difference.
function varint(	value, inverse, scale, bytes) {
	scale = 1
	do {
		value += byte[at] % 128 * scale; inverse += (127 - byte[at] % 128) * scale
		scale *= 128; bytes++
	} while (byte[at++] >= 128 && at < size)
	return bytes < 10 ? value : -(inverse % 2 ^ 63) - 1
}
function decode(	kind, arguments, end, delta, i) {
	kind = byte[at] % 64; arguments = int(byte[at++] / 64)
	if (kind == STRING) { varint(); i = varint(); at += i; return }
	end = arguments == 3 ? varint() + at : 0
	if (kind == 1) { varint(); time = varint(); return }
	if (kind == FREQUENCY) { frequency = varint(); return }
	if (kind == 3) { at = end; return }
	time += varint()
	if (end) at = end
	else for (i = 0; i < arguments; i++) varint()
	if (!events++ || time < first) first = time
	if (time > last) last = time
	kinds[kind]++
}
function million(cycles) { return sprintf("%.1f", cycles / 1e6) }
function row(what, without, with, tool) { printf "%-40s %14s %14s %14s\n", what, without, with, tool }
END {
	at = 16
	while (at < size) decode()
	if (byte[0] != 103 || byte[1] != 111 || !events || !frequency || at != size) { print "perturb: not a trace of Go 1.19" > "/dev/stderr"; exit 1 }
	started = kinds[START] + kinds[START_LOCAL] + kinds[START_LABEL]
	before = calls[3, "runtime.execute"]; after = calls[4, "runtime.execute"]
	print "the tracer of Go's runtime"
	row("", "undisturbed", "with it", "it says")
	row("goroutines put on a processor", calls[1, "runtime.execute"], calls[2, "runtime.execute"], started)
	row("goroutines created", calls[1, "runtime.newproc1"] + 0, calls[2, "runtime.newproc1"] + 0, kinds[CREATE] + 0)
	row("collections", calls[1, "runtime.gcStart"] + 0, calls[2, "runtime.gcStart"] + 0, kinds[GC_START] + 0)
	row("million cycles of main.main", million(all[1]), million(all[2]), million((last - first) * clock / frequency))
	row("million cycles in runtime.traceEvent", million(total[1, "runtime.traceEvent"]), million(total[2, "runtime.traceEvent"]), "-")
	printf "%d events in %d bytes; a tick of their clock is %d cycles\n", events, size, clock / frequency
	# The tracer begins with an event for the goroutine that starts it.
	printf "of the goroutines put on a processor, %d before it runs and %d when it ends; it adds 1; not explained: %d\n", \
		before, after, calls[2, "runtime.execute"] - before - after + 1 - started
	sub(/.*: /, "", verdict)
	printf "in short: %d of %d switches%s\n", started, calls[2, "runtime.execute"], \
		verdict == "" ? "" : "; go tool trace refuses it: " verdict
}
