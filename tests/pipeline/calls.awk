# SPDX-License-Identifier: Apache-2.0
# Checks for each function of a binary that the calls in a table equal the executions of
# its entry. Files: nm -nS of the binary, the table (tr-report functions), tr-text --tokens of
# the run. Variables: binary, its name in the table; priv, the privilege in which only it
# runs; high, low: addresses from `low` on are also the binary's addresses from `high` on
# (before the MMU is on); except, a function that calls into itself below its entry. An
# entry counts when it is reached from another function or by a call: a branch back to it
# from the function itself is a loop.
function hex(text,   i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
function pad(text) { return substr("0000000000000000" text, length(text) + 1) }
function base(name) { sub(/\.(constprop|isra|part)\..*/, "", name); return name }
# Returns whether the instruction writes a return address to ra or t0.
function is_link(bits,   value) {
	value = hex(bits)
	if (length(bits) == 4)
		return value % 128 == 2 && int(value / 4096) == 9 && int(value / 128) % 32
	return (value % 128 == 111 || value % 128 == 103) && (int(value / 128) % 32 == 1 || int(value / 128) % 32 == 5)
}
FNR == 1 { file++ }
file == 1 && $(NF - 1) ~ /^[tTwW]$/ && $NF !~ /^[$.]/ {
	if ($1 != last) {
		end[last] = $1
		last = $1
	}
	at[$1] = 1
	addresses[base($NF)] = addresses[base($NF)] " " $1
	aliases[$1] = aliases[$1] " " base($NF)
	if (NF == 4)
		sized[$1] = 1
}
file == 2 && /binary +function$/ { is_table = 1 }
file == 2 && is_table && $(NF - 1) == binary { calls[base($NF)] += $1 }
# Functions of the same name, with their places in the source.
file == 2 && is_table && $(NF - 2) == binary && $NF ~ /^\(.*:[0-9]+\)$/ { calls[base($(NF - 1))] += $1 }
file == 2 && is_table && $(NF - 2) == binary && $NF ~ /^\(0x/ {
	known[$(NF - 1)] = 1
	calls[pad(substr($NF, 4, length($NF) - 4))] = $1
}
file == 3 && $1 == "token" {
	pc = pad(substr($2, 3))
	hart = $5
	if (low && pc >= low && pc < "0000000090000000")
		pc = substr(high, 1, 8) sprintf("%08x", hex(substr(pc, 9)) - hex(substr(low, 9)) + hex(substr(high, 9)))
	if (pc in at && $0 ~ is_priv &&
	    !(from[hart] >= pc && (!end[pc] || from[hart] < end[pc]) && !is_link(bits[hart])))
		entries[pc]++
	from[hart] = pc
	bits[hart] = $3
}
BEGIN { is_priv = " priv=" priv " " }
file == 3 && $1 == "trap" { split("", from) }
END {
	for (name in calls) {
		split(name ~ /^[0-9a-f]+$/ && length(name) == 16 ? name : addresses[name], list, " ")
		sum = 0
		for (i in list)
			sum += entries[list[i]]
		compared += sum > 0
		if (sum != calls[name] && name != binary && name !~ /^\[/ && name != except) {
			print "calls: " binary ": " name ": " calls[name] " calls, " sum " entries"
			wrong++
		}
	}
	for (pc in entries) {
		n = split(aliases[pc], list, " ")
		for (i = 1; i <= n && !(list[i] in calls) && !(list[i] in known); i++)
			;
		if (i > n && pc in sized) {
			print "calls: " binary ": " aliases[pc] ": not in the table, " entries[pc] " entries"
			wrong++
		}
	}
	if (!compared)
		print "calls: " binary ": nothing to compare"
	exit (wrong || !compared)
}
