# SPDX-License-Identifier: Apache-2.0
# Compares executions of entries in a run without the run-time profiler and in one with it, in
# all processes together: awk -f same-entries.awk WITHOUT WITH, both from count-entries.
FNR == 1 { file++; next }
{
	n = split($0, cell, ",")
	count[file, cell[4]] += cell[n - 4] + cell[n - 2]
	name[cell[4]] = cell[5]; all[file] += cell[n - 4] + cell[n - 2]
}
END {
	for (address in name) {
		functions++
		if (count[1, address] + 0 == count[2, address] + 0) continue
		if (wrong++ < 20) print "entries: " address " " name[address] ": " count[1, address] + 0 " without, " count[2, address] + 0 " with"
	}
	printf "%d functions, %d executions without%s\n", functions, all[1], wrong ? ", " wrong " functions DIFFER" : ": the same"
	exit wrong || !all[1]
}
