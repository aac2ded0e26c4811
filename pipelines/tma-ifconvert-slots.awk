# SPDX-License-Identifier: Apache-2.0
# The slots of a program, that is of user mode, on a core that commits several instructions in a
# cycle. Reads the tokens of its trace (tr-text --tokens) with the counters of dispatch in each cycle.
# Writes lines "NAME VALUE": `cycles` of the run, `slots` of user mode, those of them that commit has
# lost to `badspec`, and those that dispatch has lost to `dispatch_badspec` and `dispatch_frontend`.
# pipelines/tma-ifconvert-slots.txt says what follows from these.
#
# A slot of commit belongs to an instruction: its own, and those that it has lost. The slots of
# dispatch in a cycle belong to the instruction that commits in it or, if none does, next.

function fail(text)
{
	print "tma-ifconvert: " name ": " text > "/dev/stderr"
	failed = 1
	exit 1
}

# Adds to `slots` and `badspec` what an instruction has.
function add_token(text,    part, n, i, run)
{
	slots++
	n = split(text, part, "/")
	for (i = 2; i <= n; i++) {
		split(part[i], run, "*")
		slots += run[2]
		if (class[run[1]] ~ /^badspec\./)
			badspec += run[2]
	}
}

# Sets `wrong` and `empty` to the slots since the last sample.
function read_sample(    i, pair, since)
{
	for (i = 5; i <= NF; i++) {
		split($i, pair, "=")
		since[pair[1]] = pair[2] - last[pair[1]]
		last[pair[1]] = pair[2]
	}
	samples++
	wrong = since["instructions_dispatched"] - since["instructions_retired"] + \
		since["recovery"] - since["recovery_fetch"]
	empty = since["fetch_stall"] + since["recovery_fetch"]
}

/^header classes=/ { classes = split(substr($2, 9), class, ",") }
/^header commit_width=/ { width = substr($2, 14) }
/^end / { for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) cycles = substr($i, 8) }
# A sample has the cycles since the last instruction. It follows the first instruction of its cycle.
$1 == "counters" {
	read_sample()
	if ($3 != "cycles=0") {
		next_wrong += wrong
		next_empty += empty
	} else if (own) {
		dispatch_badspec += wrong
		dispatch_frontend += empty
	}
}
$1 == "token" || $1 == "trap" {
	if (!tokens++)
		first = substr($4, 8) + 0 # no sample is in these cycles
	own = $1 == "token" && $7 == "priv=U"
	if (own) {
		add_token($4)
		dispatch_badspec += next_wrong
		dispatch_frontend += next_empty
	}
	next_wrong = next_empty = 0
}

END {
	if (failed)
		exit 1
	if (!classes || !(width > 1) || !cycles || !slots)
		fail("the trace has no slots of user mode, or no classes")
	if (samples + first < cycles)
		fail("the trace does not have the counters of each cycle")
	print "cycles", cycles
	print "slots", slots
	print "badspec", badspec
	print "dispatch_badspec", dispatch_badspec
	print "dispatch_frontend", dispatch_frontend
}
