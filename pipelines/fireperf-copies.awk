# SPDX-License-Identifier: Apache-2.0
# FirePerf's section 4.5.1: user copies, from the trace of them, without the interrupts in
# between, and beside it the hardware's own counters, which include these. Files:
# .../copies-KERNEL/counts.txt over loopback, .../copies-KERNEL-server/counts.txt.
FNR == 1 { n = split(FILENAME, part, "/"); run = substr(part[n - 1], 8) }
{ value[run, $1] = $2 }
function per(run, a, b) { return value[run, b] ? value[run, a] / value[run, b] : 0 }
function line(what, a, b, c, d, paper) { printf "  %-46s %9s %9s %9s %9s   %s\n", what, a, b, c, d, paper }
function each(what, kind, paper) {
	line(what, figure("bytes", kind), figure("shift", kind), figure("bytes-server", kind), figure("shift-server", kind), paper)
}
function figure(run, kind,   memory, counted) {
	memory = value[run, "loads"] + value[run, "stores"]
	counted = value[run, "load"] + value[run, "store"]
	if (kind == "bytes") return sprintf("%.3f", per(run, "bytes", "cycles"))
	if (kind == "ipc") return sprintf("%.3f", per(run, "instructions", "cycles"))
	if (kind == "each") return sprintf("%.2f", per(run, "bytes", "instructions"))
	if (kind == "memory") return sprintf("%.1f %%", 100 * memory / value[run, "instructions"])
	if (kind == "use") return sprintf("%.1f %%", 100 * (memory + value[run, "refill"]) / value[run, "cycles"])
	if (kind == "miss") return sprintf("%.3f %%", 100 * value[run, "misses"] / memory)
	if (kind == "traps") return value[run, "exception"] + 0
	if (kind == "calls") return value[run, "calls"]
	if (kind == "counted-ipc") return sprintf("%.3f", per(run, "instructions_retired", "local_cycle"))
	if (kind == "counted-miss") return sprintf("%.3f %%", counted ? 100 * value[run, "dcache_miss"] / counted : 0)
	return sprintf("%.1f MB", value[run, "bytes"] / 1e6)
}
END {
	printf "User copies (section 4.5.1)\n"
	line("", "loopback", "loopback", "server", "server", "FirePerf,")
	line("", "bytes", "shift", "bytes", "shift", "before and after")
	each("copies", "calls", "")
	each("copied", "size", "")
	each("bytes per cycle", "bytes", "0.847, 1.39")
	each("IPC", "ipc", "-, 0.636")
	each("bytes per instruction: per cycle, at IPC 1", "each", "-, 1.6")
	each("loads and stores, of the instructions", "memory", "-, 56.1 %")
	each("L1D in use (accesses, misses), of the cycles", "use", "-, 51.1 %")
	each("L1D misses, of loads and stores", "miss", "-, 0.905 %")
	print "  Counted by the hardware from entry to return:"
	each("traps and interrupts, whose handlers count", "traps", "")
	each("IPC", "counted-ipc", "")
	each("L1D misses, of loads and stores", "counted-miss", "")
}
