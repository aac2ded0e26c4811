# SPDX-License-Identifier: Apache-2.0
# From the counters of a run (CSV): the share of a group in the slots of dispatch that do not lead to
# a commit. Fails if it is below `least`, or if the slots do not add up to four a cycle, or if the
# counter `blocked`, of cycles in which a cache has no answer, is below 80 % of all. Variables: group
# (frontend, badspec or backend), program, least, blocked (or empty).

BEGIN { FS = "," }
FNR == 3 { for (i = 1; i <= NF; i++) column[$i] = i }
FNR == 8 { split($0, first) }
FNR > 8 { split($0, last) }

function count(name)
{
	if (!(name in column))
		missing = 1
	return last[column[name]] - first[column[name]]
}

END {
	dispatched = count("instructions_dispatched")
	recovery = count("recovery")
	refetch = count("recovery_fetch")
	slots["frontend"] = count("fetch_stall") + refetch
	slots["badspec"] = dispatched - count("instructions_retired") + recovery - refetch
	slots["backend"] = count("backend_stall")
	lost = slots["frontend"] + slots["badspec"] + slots["backend"]
	all = dispatched + count("fetch_stall") + recovery + slots["backend"]
	share = lost > 0 ? 100 * slots[group] / lost : 0
	if (blocked)
		cycles = sprintf(", %s in %.1f %% of the cycles", blocked,
			100 * count(blocked) / count("local_cycle"))
	ok = !blocked || 5 * count(blocked) >= 4 * count("local_cycle")
	ok = ok && !missing && lost > 0 && all == 4 * count("local_cycle") && share >= least
	printf "%-21s %23s %5.1f %% of those of dispatch in %s%s%s\n", "", "", share, group, cycles, ok ? "" : ": FAILED"
	exit !ok
}
