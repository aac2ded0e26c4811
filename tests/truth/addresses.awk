# SPDX-License-Identifier: Apache-2.0
# Reduces the text of a trace (tr-text --tokens) to that of a source of addresses and
# cycles: no traps, no privilege, no registers. Of the last instruction of a run only the
# length remains, "........" or "....".

BEGIN {
	print "header source=addresses"
	print "header content=rows"
	print "header xlen=64"
	print "header precision=cycles"
	print "header harts=1"
	print "header commit_width=1"
	print "header cannot_supply=insn,priv,traps,satp"
}

/^token / {
	match($0, / cycle=[0-9]+/)
	print "token " $2 " " (length($3) == 4 ? "...." : "........") \
		substr($0, RSTART, RLENGTH)
}

END { print "end" }
