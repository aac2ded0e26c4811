# SPDX-License-Identifier: Apache-2.0
# From the tokens of a trace of width 4, as text: the share of a class in the lost slots. Fails if it
# is below `least`, or if slots do not add up. Variables: class, program, least.

/^header classes=/ { count = split(substr($0, 16), name, ",") }
/^header commit_width=/ { width = substr($2, 14) }

/^token/ { retired++ }

/^(token|trap) / && match($0, / cycles=[^ ]*/) {
	runs = split(substr($0, RSTART + 8, RLENGTH - 8), run, "/")
	cycles += run[1]
	for (i = 2; i <= runs; i++) {
		split(run[i], part, "*")
		lost[name[part[1]]] += part[2]
		all += part[2]
	}
}

END {
	own = all ? 100 * lost[class] / all : 0
	edge = width * cycles - retired - all
	for (i = 1; i <= count; i++)
		if (name[i] != class && lost[name[i]] > all / 100)
			others = others sprintf(", %s %.1f", name[i], 100 * lost[name[i]] / all)
	ok = width == 4 && all > 0 && edge < 4 && edge > -4 && own >= least
	printf "%-21s %7d cycles, %5.1f %% of slots lost, %5.1f %% of them%s%s\n", program, cycles,
		cycles ? 100 * all / (width * cycles) : 0, own, others, ok ? "" : ": FAILED"
	exit !ok
}
