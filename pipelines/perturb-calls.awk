# SPDX-License-Identifier: Apache-2.0
# The system calls of a process and its descendants, from tables of tr-timeline:
#     awk -v root=PID -f perturb-calls.awk UNISTD_H PROCESSES_CSV PROCESS_SYSCALLS_CSV
# A line has PROCESS NAME CALLS ERRORS OPEN; processes are numbered from 1 in the order of
# their pids. Names are those of the numbers in the kernel's header, as strace has them; the
# name of the function in the table must be the same, but for those in function_of.

BEGIN {
	FS = ","
	name_of[259] = "riscv_flush_icache" # of RISC-V alone
	function_of["fstat"] = "newfstat"; function_of["uname"] = "newuname"
	function_of["sendfile"] = "sendfile64"; function_of["fadvise64"] = "fadvise64_64"
}
function wrong(why) { print "perturb-calls: " FILENAME ": line " FNR ": " why > "/dev/stderr"; failed = 1; exit 2 }
FNR == 1 { file++ }
file == 1 {
	split($0, word, " ")
	if (word[1] != "#define" || word[2] !~ /^__NR/ || word[2] ~ /^__NR_(syscalls|arch_specific_syscall)$/) next
	if (word[2] ~ /^__NR3264_/) value_of[word[2]] = word[3] # with another name on 64 bits, the first below
	name = word[2]
	sub(/^__NR(3264)?_/, "", name)
	if (word[3] ~ /^[0-9]+$/) name_of[word[3]] = name
	else if (word[3] in value_of) { name_of[value_of[word[3]]] = name; delete value_of[word[3]] }
	next
}
FNR == 1 { split("", column); for (i = 1; i <= NF; i++) column[$i] = i; next }
# Parents come before their children.
file == 2 {
	pid = $column["pid"]
	if (pid == root || $column["parent"] in kin) kin[pid]
	next
}
$column["pid"] in kin {
	number = $column["number"]; served = $column["name"]
	if (number in name_of) name = name_of[number]
	else if (served == "ni_syscall") name = name_by_strace(number)
	else wrong("no name for " number)
	expected = name in function_of ? function_of[name] : name
	if (served != "ni_syscall" && served != expected) wrong(name " is served by " served)
	row[$column["pid"], name] = $column["calls"] " " $column["errors"] " " $column["open"]
}
# strace takes only the lower 32 bits of a number, with their sign.
function name_by_strace(number,	digits) {
	digits = substr(hexadecimal(number), 9)
	if (digits ~ /^[89a-f]/) return "syscall_0xffffffff" digits
	sub(/^0+/, "", digits)
	if (digits == "") return name_of[0]
	for (number in name_of) if (sprintf("%x", number) == digits) return name_of[number]
	return "syscall_0x" digits
}
# Returns 16 digits, of a decimal number that may have more than awk's.
function hexadecimal(decimal,	is_negative, digits, i, rest, quotient, digit) {
	is_negative = sub(/^-/, "", decimal)
	for (digits = ""; length(digits) < 16; digits = substr("0123456789abcdef", rest + 1, 1) digits) {
		quotient = ""; rest = 0
		for (i = 1; i <= length(decimal); i++) {
			rest = rest * 10 + substr(decimal, i, 1)
			quotient = quotient int(rest / 16); rest %= 16
		}
		decimal = quotient
	}
	return is_negative ? complement(digits) : digits
}
# Two's complement.
function complement(digits,	i, result, carry, digit) {
	carry = 1; result = ""
	for (i = 16; i; i--) {
		digit = 16 - index("0123456789abcdef", substr(digits, i, 1)) + carry
		carry = digit > 15; digit %= 16
		result = substr("0123456789abcdef", digit + 1, 1) result
	}
	return result
}
END {
	if (failed) exit 2
	if (!(root in kin)) { print "perturb-calls: no process " root > "/dev/stderr"; exit 2 }
	for (pid in kin) {
		place[pid] = 0
		for (other in kin) place[pid] += other + 0 <= pid + 0
	}
	for (key in row) { split(key, part, SUBSEP); print place[part[1]], part[2], row[key] }
}
