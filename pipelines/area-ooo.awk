# SPDX-License-Identifier: Apache-2.0
# The table of `make CORE=ooo area`, from the weights of gates (*.lib), yosys's statistics of the
# hart by module, and of its CSRs without and with the event counters, and its memories. Exit
# status 1 if the gates of the events cost more than the paper's 4 %.
function percent(a, b) { return sprintf("%5.2f %%", 100 * a / b) }
# `$paramod$HASH\name` and `$paramod\name\WIDTH=...` are of the module `name`.
function short_name(text)
{
	sub(/^\\/, "", text)
	if (text !~ /^\$paramod/) return text
	sub(/^\$paramod(\$[0-9a-f]*)?\\/, "", text)
	sub(/\\.*/, "", text)
	return text
}

FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }
FILENAME ~ /\.lib$/ && /cell\(/ {
	match($0, /cell\([A-Z0-9]+/); name = substr($0, RSTART + 5, RLENGTH - 5)
	match($0, /area: [0-9.]+/); weight[name] = substr($0, RSTART + 6, RLENGTH - 6)
}
/^=== / { module = $2; if (module == "design") module = ""; is_module[file, module] = 1 }
# Cells of a module: gates, and instances of other modules.
module != "" && NF == 2 && $2 ~ /^[0-9]+$/ {
	if ($1 in weight) {
		own[file, module] += weight[$1] * $2
		if ($1 == "DFF") flops[file, module] += $2
	} else if (file == "hart") {
		child[module, ++children[module]] = $1
		times[module, children[module]] = $2
	}
}
file == "hart.sram" {
	if ($1 == "module") holder = short_name($2)
	if (/MEMID/) { memory_name = $3; gsub(/["\\]/, "", memory_name); memory_name = holder "." memory_name }
	if ($2 ~ /\\SIZE$/) words = $3
	if ($2 ~ /\\WIDTH$/) width = $3
	if ($2 ~ /\\RD_PORTS$/) reads = $3
	if ($2 ~ /\\WR_PORTS$/) writes = $3
	if ($1 == "end" && memory_name != "") {
		memory[++memories] = memory_name
		shape[memories] = sprintf("%5d x %-4d %3d read %3d write", words, width, reads, writes)
		memory_name = ""
	}
}

# Adds the gates of a module and of those below it to their names; the CSRs are mapped apart.
function descend(module, count,    i, name)
{
	name = short_name(module)
	if (name == "csr") { csrs += count; return }
	area[name] += own["hart", module] * count
	flop[name] += flops["hart", module] * count
	instances[name] += count
	for (i = 1; i <= children[module]; i++)
		if (("hart", child[module, i]) in is_module)
			descend(child[module, i], count * times[module, i])
		else if (child[module, i] !~ /^\$mem/)
			unknown = unknown " " child[module, i]
}
function print_row(name)
{
	printf "  %-22s %3d %9.0f  %s %8d\n", name, instances[name], area[name], percent(area[name], plain), flop[name]
}

END {
	descend("hart", 1)
	# What only simulators use.
	split("trace_port ooo_classes ooo_idle", only, " ")
	for (i in only) { left_out[only[i]]; if (!(only[i] in area)) unknown = unknown " no " only[i] }
	area["csr"] = own["csr-plain", "csr"]
	flop["csr"] = flops["csr-plain", "csr"]
	instances["csr"] = csrs
	counters = own["csr-pmu", "csr"] - area["csr"]
	events = counters + area["ooo_events"]
	for (name in area)
		if (!(name in left_out) && name != "ooo_events") { plain += area[name]; plain_flops += flop[name]; order[++names] = name }
	if (unknown != "" || csrs != 1 || area["csr"] <= 0 || counters <= 0 || !("ooo_events" in area) || !memories || plain <= 0) {
		print "area-ooo.awk: unexpected output of yosys:" unknown > "/dev/stderr"
		exit 2
	}
	print "The out-of-order core (RV64GC, four wide, window of 64) with its TLBs, caches' control, walker,"
	print "PMP and CSRs, mapped to gates by yosys, module by module: nothing is optimised across"
	print "modules. Areas are in two-input NANDs, as on the core in order. Shares are of all modules"
	print "without the events, and without what only simulators use."
	printf "\n  %-22s %3s %9s  %7s %8s\n", "module", "", "NAND2", "share", "DFF"
	for (i = 2; i <= names; i++)
		for (k = i; k > 1 && (area[order[k]] > area[order[k - 1]] || (area[order[k]] == area[order[k - 1]] && order[k] < order[k - 1])); k--) {
			name = order[k]; order[k] = order[k - 1]; order[k - 1] = name
		}
	for (i = 1; i <= names; i++) {
		if (area[order[i]] >= 0.002 * plain) { print_row(order[i]); continue }
		rest += area[order[i]]; rest_flops += flop[order[i]]; others += instances[order[i]]
	}
	printf "  %-22s %3d %9.0f  %s %8d\n", "others", others, rest, percent(rest, plain), rest_flops
	printf "  %-22s %3s %9.0f  %s %8d\n", "all", "", plain, percent(plain, plain), plain_flops
	printf "\n  event counters: %.0f, the events: %.0f; together %.0f of %.0f NAND2: %s (the paper: below 4 %%)\n", \
		counters, area["ooo_events"], events, plain, percent(events, plain)
	print "  What other modules compute for the events alone is theirs here."
	printf "  trace port: %.0f, classes: %.0f; together %s; the skipping of cycles: %.0f, %s\n", area["trace_port"], \
		area["ooo_classes"], percent(area["trace_port"] + area["ooo_classes"], plain), area["ooo_idle"], percent(area["ooo_idle"], plain)
	print "\nNot counted, because they would be SRAM or register files (words x bits, ports):"
	for (i = 1; i <= memories; i++) printf "  %-34s %s\n", memory[i], shape[i]
	exit events >= 0.04 * plain
}
