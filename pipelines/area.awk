# SPDX-License-Identifier: Apache-2.0
# The table of `make area`, from the weights of gates (*.lib), yosys's statistics without
# the event counters, with them, and with floating point, its memories, and the toggles of
# two runs. Exit status 1 if the gates of the counters cost more than the paper's 4 %.
function percent(a, b) { return sprintf("%.2f %%", 100 * a / b) }
# "A of B: their ratio", of the core without counters and floating point
function of_core(a, b, what) { return sprintf("%.0f of %.0f%s: %s", a, b, what, percent(a, b)) }

FNR == 1 { file++ }
FILENAME ~ /\.lib$/ && /cell\(/ {
	match($0, /cell\([A-Z0-9]+/); name = substr($0, RSTART + 5, RLENGTH - 5)
	match($0, /area: [0-9.]+/); weight[name] = substr($0, RSTART + 6, RLENGTH - 6)
	order[++gates] = name
}
FILENAME ~ /\/(plain|pmu|float)$/ && $1 in weight && NF == 2 { count[file, $1] = $2 }
FILENAME ~ /\.sram$/ {
	if (/MEMID/) { name = $3; gsub(/["\\]/, "", name); sub(/^gen_core\.u_core\./, "", name); sub(/^u_/, "", name); gsub(/\.u_/, ".", name) }
	if ($2 ~ /\\SIZE$/) words = $3
	if ($2 ~ /\\WIDTH$/) width = $3
	if ($1 == "end" && name != "") { memory[++memories] = name; bits[memories] = words * width; shape[memories] = words " x " width; name = "" }
}
/^cycles / && FILENAME ~ /\.cycles$/ { run = FILENAME; sub(/\.cycles$/, "", run); sub(/.*\//, "", run); cycles[run] = $2 }
FILENAME ~ /\.dat$/ && /toggle/ {
	match($0, /\001h\002[^\001\047]*/); where = substr($0, RSTART + 3, RLENGTH - 3)
	if (where !~ /u_hart/) next
	part = where ~ /u_hpm|u_events/ ? "pmu" : "core"
	toggles[run, part] += $NF
	signals[run, part]++
}
function area(which,   i, sum) {
	for (i = 1; i <= gates; i++) sum += weight[order[i]] * count[which, order[i]]
	return sum
}
function activity(run, part) { return toggles[run, part] / signals[run, part] / cycles[run] }
function switching(run,   ratio) {
	ratio = activity(run, "pmu") * pmu / (activity(run, "core") * core)
	printf "  %-12s %13.4f %13.4f %15.2f %%\n", run, activity(run, "core"), activity(run, "pmu"), 100 * ratio
}
END {
	core = area(2); pmu = area(3) - core; fpu = area(4) - core
	if (core <= 0 || pmu <= 0 || fpu <= 0 || !memories || !signals["idle", "pmu"] || !signals["counting", "core"]) {
		print "area.awk: unexpected output of yosys or Verilator" > "/dev/stderr"
		exit 2
	}
	print "The RV64IMAC core without and with its event counters (PMU), mapped to gates by yosys."
	print "Weights are areas relative to a two-input NAND, of the X1 cells of the Nangate 45 nm"
	print "open cell library (NAND2_X1: 0.798 square micrometres). Both have mcycle and minstret."
	printf "\n  %-8s %8s %12s %12s\n", "gate", "weight", "without", "with"
	for (i = 1; i <= gates; i++)
		if (count[3, order[i]])
			printf "  %-8s %8.2f %12d %12d\n", order[i], weight[order[i]], count[2, order[i]], count[3, order[i]]
	printf "  %-8s %8s %12.0f %12.0f  NAND2\n", "area", "", core, core + pmu
	print "\n  event counters: " of_core(pmu, core, " NAND2") " (the paper: below 4 %)"
	print "  flip-flops, the load of the clock: " of_core(count[3, "DFF"] - count[2, "DFF"], count[2, "DFF"])
	print "\n  floating point (F and D): " of_core(fpu, core, " NAND2")
	print "  flip-flops: " of_core(count[4, "DFF"] - count[2, "DFF"], count[2, "DFF"])
	print "\nNot counted, because they would be SRAM (words x bits). All other state is flip-flops,"
	print "including the register file. The trace port and all simulation-only logic are excluded."
	for (i = 1; i <= memories; i++) printf "  %-24s %10s\n", memory[i], shape[i]
	print "\nSwitching, as an estimate of dynamic power: toggles per cycle of a signal bit in the"
	print "RTL, averaged over the bits (Verilator, pipelines/area-load.S; memories of more than"
	print "256 bits are excluded), times the area of the part. The clock, wires, glitches and"
	print "leakage are not included."
	printf "\n  %-12s %13s %13s %17s\n", "PMU state", "core", "PMU", "PMU of the core"
	switching("idle")
	switching("counting")
	exit pmu >= 0.04 * core
}
