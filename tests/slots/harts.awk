# SPDX-License-Identifier: Apache-2.0
# From the tokens of a trace of two harts, as text: the slots of each, which fails if they do not
# add up to the hart's width in each cycle, but for the end of the last, or if a hart loses none.
# Variable: name.

/^header commit_width=/ { for (hart = 0; hart < 2; hart++) width[hart] = substr($2, 14) }
/^header commit_width[.]/ { split(substr($2, 14), part, "="); width[part[1]] = part[2] }
/^hart / { hart = $2 }
/^token/ { retired[hart]++ }

# A run without a number has all cycles but the token's own.
/^(token|trap) / && match($0, / cycles=[^ ]*/) {
	runs = split(substr($0, RSTART + 8, RLENGTH - 8), run, "/")
	cycles[hart] += run[1]
	for (i = 2; i <= runs; i++)
		lost[hart] += split(run[i], part, "*") > 1 ? part[2] : run[1] - 1
}

END {
	for (hart = 0; hart < 2; hart++) {
		left = width[hart] * cycles[hart] - retired[hart] - lost[hart]
		ok = retired[hart] > 0 && lost[hart] > 0 && left >= 0 && left < width[hart]
		printf "%-24s hart %d: %d a cycle, %7d cycles, %5.1f %% of slots lost%s\n", name, hart, width[hart],
			cycles[hart], 100 * lost[hart] / (width[hart] * cycles[hart]), ok ? "" : ": " left " left: FAILED"
		failed += !ok
	}
	exit failed > 0 || width[0] != 1 || width[1] != 4
}
