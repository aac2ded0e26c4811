# SPDX-License-Identifier: Apache-2.0
# Predicts the cycles of a program after if-conversion. The first file is the disassembly
# of the function (objdump -d --no-show-raw-insn), the second the tokens of the trace
# before the conversion (tr-text --tokens). The last line is "predicted CYCLES". With the
# first file alone, prints how many conditional branches it has, and how many are to be
# converted.
#
# A branch is converted if it jumps forward over at most four instructions that only
# compute: its arm. pipelines/tma-ifconvert.txt describes the replacement.

function fail(text)
{
	print "tma-ifconvert: " name ": " text > "/dev/stderr"
	failed = 1
	exit 1
}

# Returns the number of instructions that turn the condition of the branch at i into a
# mask of all ones or 0 or, if `bare`, into 1 or 0.
function condition_cost(i, bare,    j, register)
{
	if (op[i] ~ /^b(eqz|nez)$/) {
		register = first_operand(i)
		for (j = i - 1; j >= 1 && op[j] !~ /^(b|j|ret)/ && !is_target[at[j + 1]]; j--)
			if (first_operand(j) == register)
				break
		if (op[j] ~ /^s(lt|eq|ne|gt)/ || (op[j] ~ /^andi?$/ && args[j] ~ /,1$/))
			return !bare
	}
	return (op[i] ~ /^b(eq|ne)$/ ? 2 : 1) + !bare
}

function first_operand(i,    part)
{
	split(args[i], part, ",")
	return part[1]
}

# Returns whether the arm is a single addition of 1 that the branch skips unless "less"
# holds: then the condition itself is added.
function is_increment(i)
{
	return arm_end[i] == i + 2 && op[i + 1] ~ /^(c\.)?addi?$/ &&
		args[i + 1] == first_operand(i + 1) "," first_operand(i + 1) ",1" &&
		op[i] ~ /^b(ge|geu|eqz)$/
}

# Returns the instructions per execution that replace the branch and its arm.
function converted_cost(i,    j, cost, seen, written)
{
	if (is_increment(i))
		return condition_cost(i, 1) + 1
	cost = condition_cost(i, 0)
	for (j = i + 1; j < arm_end[i]; j++) {
		cost += op[j] !~ /^(mv|c\.mv)$/
		if (!((i, first_operand(j)) in written)) {
			written[i, first_operand(j)] = 1
			cost += 3
		}
	}
	return cost
}

# If the branch at i jumps over an arm, sets arm_end to the first instruction behind the
# arm.
function find_arm(i,    j, target)
{
	target = args[i]
	sub(/^.*,/, "", target)
	sub(/ .*/, "", target)
	for (j = i + 1; j <= count && j <= i + 5; j++) {
		if (at[j] == target && j > i + 1) {
			arm_end[i] = j
			arms++
			return
		}
		if (op[j] !~ /^(mv|li|lui|neg|not|add|sub|and|or|xor|sl|sr|mul|sext|zext|seqz|snez)/)
			return
	}
}

function find_arms(    i, j, target)
{
	for (i = 1; i <= count; i++)
		if (op[i] ~ /^b/) {
			target = args[i]
			sub(/^.*,/, "", target)
			sub(/ .*/, "", target)
			is_target[target] = 1
		}
	for (i = 1; i <= count; i++) {
		branches += op[i] ~ /^b/
		if (op[i] ~ /^b/)
			find_arm(i)
		if (i in arm_end) {
			branch_at["0x" at[i]] = i
			for (j = i + 1; j < arm_end[i]; j++)
				arm_of["0x" at[j]] = i
		}
	}
}

# Returns the cycles of a token; sets `wrong` to those lost to a misprediction.
function read_cycles(text,    part, n, j, slot)
{
	sub(/^cycles=/, "", text)
	n = split(text, part, "/")
	wrong = 0
	for (j = 2; j <= n; j++) {
		split(part[j], slot, "*")
		if (slot[1] == branch_class)
			wrong += slot[2]
	}
	return part[1]
}

FNR == 1 { file++ }

file == 1 && /^ *[0-9a-f]+:\t/ {
	split($0, field, "\t")
	count++
	at[count] = substr(field[1], 1, length(field[1]) - 1)
	gsub(/ /, "", at[count])
	op[count] = field[2]
	args[count] = field[3]
	sub(/ +#.*/, "", args[count])
}

file == 2 && FNR == 1 { find_arms() }
file == 2 && /^header classes=/ {
	classes = split(substr($2, 9), class, ",")
	for (i = 1; i <= classes; i++)
		if (class[i] == "badspec.branch")
			branch_class = i
}
file == 2 && /^end / { for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) total = substr($i, 8) }
file == 2 && $1 == "trap" { last = 0; next }
file == 2 && $1 == "token" {
	cycles = read_cycles($4)
	if ($7 == "priv=U")
		user += cycles
	if (last) {
		recovered[last] += wrong
		cycles -= wrong
	}
	last = 0
	if ($2 in branch_at) {
		last = branch_at[$2]
		executed[last]++
	} else if ($2 in arm_of) {
		arm[arm_of[$2]] += cycles
		arm_waits[arm_of[$2]] += cycles - 1
		arm_first[arm_of[$2]] += $2 == "0x" at[arm_of[$2] + 1]
	}
}

END {
	if (failed)
		exit 1
	if (file == 1) {
		find_arms()
		print branches + 0, arms + 0
		exit
	}
	if (!arms)
		fail("there is no branch to convert")
	if (!total || !user || !branch_class)
		fail("the trace has no cycles, or no classes")
	printf "%-9s %-6s %9s %9s %9s %9s %9s\n", "branch", "", "executed", "recovery", "in arm",
		"now", "converted"
	after = user
	for (i = 1; i <= count; i++) {
		if (!(i in arm_end) || !executed[i])
			continue
		now = executed[i] + arm[i] + recovered[i]
		waits = arm_first[i] ? arm_waits[i] / arm_first[i] : 0
		then_ = executed[i] * (converted_cost(i) + waits)
		printf "0x%-7s %-6s %9d %9d %9d %9d %9d\n", at[i], op[i], executed[i], recovered[i],
			arm[i], now, then_
		after += then_ - now
	}
	printf "now %d cycles, %d of them in user mode; converted %d in user mode\n", total, user,
		after
	printf "predicted %.0f\n", after * total / user
}
