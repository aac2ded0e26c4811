# SPDX-License-Identifier: Apache-2.0
# Reads folded stacks: the share of each program, the first frame. Variable: title.
{ split($0, frame, ";"); cycles[frame[1]] += $NF; all += $NF }
END {
	printf "  %s:", title
	for (p in cycles) if (cycles[p] >= all / 100) list[++n] = sprintf("%5.1f %% %s", 100 * cycles[p] / all, p)
	for (i = 1; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] < list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "," : ""), list[i]
	print ""
}
