# SPDX-License-Identifier: Apache-2.0
# awk -f same-stacks.awk LEAST TRUE OTHER: prints how many instructions and cycles have
# the same stack in two files of stacks (tr-text), and how many cycles the second reports
# as doubtful. All traps are equal, because a source of addresses does not report causes.
# Exit status 1 if less than LEAST % of the instructions are equal, or if the doubt
# differs by more than 5 points from the actual share.

function name_of(line, kind) {
	if (kind == "kind=trap" || kind == "kind=signal")
		return "[trap]"
	sub(/^.* name="/, "", line)
	sub(/"$/, "", line)
	return line
}

function value(line, key) {
	return match(line, key "=[0-9]+") ? substr(line, RSTART + length(key) + 1, RLENGTH) + 0 : 0
}

# Advances to the next row with a nonzero count of the unit. Returns false at the end.
function next_row(file, unit,    line, word) {
	while ((getline line <FILE[file]) > 0) {
		split(line, word, " ")
		if (word[1] == "func")
			func_name[file, word[2]] = name_of(line, word[3])
		else if (word[1] == "node")
			path[file, word[2]] = path[file, substr(word[3], 8)] ";" \
				func_name[file, substr(word[4], 6)]
		else if (line ~ /unwind_doubted_cycles=/)
			doubted[file] = value(line, "unwind_doubted_cycles")
		if (word[1] != "srow" || !(left[file] = value(line, unit)))
			continue
		at[file] = word[2]
		return 1
	}
	return 0
}

function walk(unit,    n) {
	all[unit] = same[unit] = left[1] = left[2] = 0
	while ((left[1] || next_row(1, unit)) && (left[2] || next_row(2, unit))) {
		n = left[1] < left[2] ? left[1] : left[2]
		all[unit] += n
		if (path[1, at[1]] == path[2, at[2]])
			same[unit] += n
		left[1] -= n
		left[2] -= n
	}
	if (!all[unit] || left[1] || left[2] || next_row(2, unit)) {
		print FILE[2] ": not the " unit " of " FILE[1]
		exit 1
	}
	close(FILE[1])
	close(FILE[2])
	return 100 * same[unit] / all[unit]
}

BEGIN {
	FILE[1] = ARGV[2]
	FILE[2] = ARGV[3]
	by_instructions = walk("instructions")
	by_cycles = walk("cycles")
	doubt = 100 * doubted[2] / all["cycles"]
	printf "%.2f %% of %d instructions (%.2f %% of the cycles) on the same stack, " \
		"%.2f %% of the cycles in doubt\n", \
		by_instructions, all["instructions"], by_cycles, doubt
	far = 100 - by_cycles - doubt
	exit by_instructions < ARGV[1] || far > 5 || far < -5
}
