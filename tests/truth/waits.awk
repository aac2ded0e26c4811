# SPDX-License-Identifier: Apache-2.0
# Compares tables of tr-timeline with what the program of waits/ says that it did, and with what
# the kernel counted: awk -f waits.awk -v tables=FOLDER CONSOLE. FOLDER has TABLE.csv of each.

function wrong(what, is, wanted) {
	if (++differ <= 10)
		printf "waits: %s: %s in the table, but %s\n", what, is == "" ? "nothing" : is, wanted
}
function compare(what, is, wanted) {
	compared++
	if (is "" != wanted "")
		wrong(what, is, wanted)
}
# Reads a table: cell[table, row, column], rows[table].
function read_table(table,    line, names, parts, n, i) {
	if ((getline line < (tables "/" table ".csv")) <= 0) {
		wrong(table, "", "a table is wanted")
		return
	}
	n = split(line, names, ",")
	while ((getline line < (tables "/" table ".csv")) > 0) {
		split(line, parts, ",")
		rows[table]++
		for (i = 1; i <= n; i++)
			cell[table, rows[table], names[i]] = parts[i]
	}
}
# Returns the sum of a column over the rows with these values; "" without such a row.
function sum(table, column, key, value, key2, value2, key3, value3,    i, all, found) {
	for (i = 1; i <= rows[table]; i++)
		if (cell[table, i, key] == value && (key2 == "" || cell[table, i, key2] == value2) &&
			(key3 == "" || cell[table, i, key3] == value3)) {
			all += cell[table, i, column]
			found = 1
		}
	return found ? all : ""
}
function total(table, column,    i, all) {
	for (i = 1; i <= rows[table]; i++)
		all += cell[table, i, column]
	return all + 0
}

BEGIN {
	n = split("syscalls process-syscalls faults wakers wakeups runqueue locks interrupts softirqs", names, " ")
	for (i = 1; i <= n; i++)
		read_table(names[i])
}
{ sub(/\r$/, "") }
$1 == "expect" { of[$2]++ }
$1 == "expect" && $2 == "syscalls" {
	compare("calls of " $4, sum("process-syscalls", "calls", "pid", $3, "name", $4), $5)
	compare("errors of " $4, sum("process-syscalls", "errors", "pid", $3, "name", $4), $6)
}
$1 == "expect" && $2 == "faults" {
	compare("faults of " $4, sum("faults", "faults", "pid", $3), $5)
	compare("major faults of " $4, sum("faults", "major", "pid", $3), $6)
}
$1 == "expect" && $2 == "file" { compare("faults in " $4, sum("faults", "faults", "pid", $3, "file", $4), $5) }
$1 == "expect" && $2 == "wakers" { compare("wake-ups of " $4 " by " $3, sum("wakers", "wakeups", "waker", $3, "tid", $4), $5) }
$1 == "expect" && ($2 == "mutex" || $2 == "futex") {
	compare("waits of " $3 " for a " $2 " of " $4, sum("locks", "waits", "tid", $3, "holder", $4, "kind", $2), $5)
	compare("open waits of " $3, sum("locks", "open", "tid", $3, "holder", $4, "kind", $2), 0)
}
$2 ~ /^[0-9]+$/ && $1 ~ /^[0-9]+:$/ {
	sub(/:$/, "", $1)
	of["interrupts"]++
	compare("interrupt " $1, sum("interrupts", "interrupts", "number", $1) + 0, $2)
	compare("name of interrupt " $1, sum("interrupts", "interrupts", "number", $1, "name", $NF) + 0, $2)
}
$1 ~ /^[A-Z_]+:$/ && NF == 2 {
	sub(/:$/, "", $1)
	of["softirqs"]++
	compare("softirq " $1, sum("softirqs", "softirqs", "name", $1) + 0, $2)
}
END {
	# Tables of the same events agree.
	compare("all system calls", total("syscalls", "calls"), total("process-syscalls", "calls"))
	compare("all wake-ups", total("wakers", "wakeups"), total("wakeups", "wakeups"))
	compare("all waits after wake-ups", sum("runqueue", "waits", "after", "woken"), total("wakeups", "wakeups"))
	n = split("syscalls faults file wakers mutex futex interrupts softirqs", names, " ")
	for (i = 1; i <= n; i++)
		if (!of[names[i]])
			wrong(names[i], "not on the console", "the program prints it")
	printf "waits: %d numbers of the program and of the kernel, %d are not those of the tables\n", compared, differ
	exit differ > 0 || !compared
}
