# SPDX-License-Identifier: Apache-2.0
# gprof's flat profile beside the exact ones: awk -f perturb-gprof.awk WITHOUT.csv WITH.csv
# FLAT. The share of a function is that of the cycles of the program's own code.

FNR == 1 { file++ }
file < 3 && FNR == 1 { n = split($0, key, ","); for (i = 1; i <= n; i++) column[key[i]] = i; next }
file < 3 {
	split($0, cell, ",")
	if (cell[column["binary"]] != "words" || cell[column["kind"]] != "function") next
	name = cell[column["function"]]
	calls[file, name] += cell[column["calls"]]
	cycles[file, name] += cell[column["self_cycles"]]
	sum[file] += cell[column["self_cycles"]]
	names[name]
	next
}
# "each sample counts as 0.01 seconds", then % cumulative self [calls ms ms] name.
/^Each sample/ { period = $5 }
/^ *[0-9.]+ +[0-9.]+ +[0-9.]+/ {
	name = $NF
	told[name] = $1; seconds += $3; names[name]
	told_calls[name] = NF > 4 ? $4 : ""
}
function share(file, name) { return sum[file] ? 100 * cycles[file, name] / sum[file] : 0 }
function largest(	name, best) {
	best = ""
	for (name in names)
		if (!(name in done) && (best == "" || share(1, name) > share(1, best) || share(1, name) == share(1, best) && name < best)) best = name
	return best
}
END {
	print "gprof: shares of the cycles in the program's own code, in percent"
	printf "%-24s %10s %10s %10s %10s %10s\n", "function", "calls", "gprof has", "undisturbed", "with gprof", "gprof says"
	for (;;) {
		name = largest()
		if (name == "") break
		done[name]
		off += (told[name] > share(1, name) ? told[name] - share(1, name) : share(1, name) - told[name]) / 2
		disturbed += (share(2, name) > share(1, name) ? share(2, name) - share(1, name) : share(1, name) - share(2, name)) / 2
		if (told_calls[name] != "") {
			counted++
			if (told_calls[name] != calls[1, name]) { wrong++; missed = missed " " name }
			if (calls[2, name] != calls[1, name]) { print "perturb: " name " was not called as often" > "/dev/stderr"; exit 1 }
		}
		if (share(1, name) >= 0.5 || share(2, name) >= 0.5 || told[name] >= 0.5)
			printf "%-24s %10d %10s %10.2f %10.2f %10.2f\n", name, calls[1, name], told_calls[name] == "" ? "-" : told_calls[name], \
				share(1, name), share(2, name), told[name]
	}
	printf "calls: %d functions counted by gprof, %d of them wrong%s\n", counted, wrong, missed
	printf "in short: by %d samples, %.1f %% of the cycles are in other functions than undisturbed; with gprof %.1f %% really are\n", \
		seconds / period + 0.5, off, disturbed
	exit !counted
}
