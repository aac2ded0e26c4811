# SPDX-License-Identifier: Apache-2.0
# Reads instructions as llvm-mc writes them, without aliases and with numbers of registers,
# after "BYTES " and a blank: "[0x82,0x80] c.jr x1". Writes what insn.h of the run-time
# profiler should make of each: "BYTES KIND DISTANCE READS WRITES NAME", where a set of registers
# is a string of their numbers, as ",1,10,".
function add(set, number) {
	return number == 0 || index(set, "," number ",") ? set : set number ","
}
function register(operand) { # the number of an integer register, or -1
	return operand ~ /^x[0-9]+$/ ? substr(operand, 2) + 0 : -1
}
function base_of(operand) { # that in parentheses
	return sub(/^.*\(/, "", operand) && sub(/\).*/, "", operand) ? register(operand) : -1
}
function by_base(base) { return base == 1 || base == 5 ? "return" : "indirect" }
# Privileged ones, accesses with an order, landing pads, and reserved values.
function is_refused(name, o, bytes, last) {
	if (name ~ /^([msdu]ret|mnret|wfi|[sh]fence|sinval|hinval|hlvx?\.|hsv\.|sfence\.)/) return 1
	if (name ~ /^(l[bhwd]\.aq|s[bhwd]\.(aq)?rl)/) return 1
	if (name == "auipc" && o[1] == "x0") return 1
	if (name == "c.lui" && o[2] == "0") return 1
	if (name == "aes64ks1i" && o[3] + 0 > 10) return 1
	if (name ~ /^csrr/) {
		last = substr(bytes, length(bytes) - 2, 1)
		return last !~ /[048c]/
	}
	return 0
}
function kind_of(name, o) {
	if (is_refused(name, o, $1)) return "unknown"
	if (name ~ /^(beq|bne|blt|bge|bltu|bgeu|c\.beqz|c\.bnez)$/) return "branch"
	if (name == "jal") return o[1] == "x0" ? "jump" : "call"
	if (name == "c.j") return "jump"
	if (name == "jalr") return o[1] == "x0" ? by_base(base_of(o[2])) : "call"
	if (name == "c.jr") return by_base(register(o[1]))
	if (name == "c.jalr") return "call"
	if (name == "auipc") return "auipc"
	if (name == "ecall") return "ecall"
	if (name ~ /^(c\.)?(ebreak|unimp)$/ || $1 == "[0x73,0x10,0x00,0xc0]") return "ebreak"
	return "other"
}
function has_no_result(name) {
	return name ~ /^(c\.)?s[bhwdq](sp)?$|^c\.(jr|jalr|beqz|bnez)$|^b(eq|ne|lt|ge|ltu|geu)$/ ||
		name ~ /^(cbo|prefetch)/ || name ~ /^(c\.)?(sspush|sspopchk)$/
}
# Instructions of 16 bits whose first operand is also read.
function is_changed(name) {
	return name ~ /^c\.(addi|addiw|addi16sp|slli|srli|srai|slli64|srli64|srai64|andi|add|sub|and|or|xor|addw|subw|mul|not|[sz]ext\.[bhw])$/ ||
		name ~ /^amocas/
}
function list_registers(name, o, count, i, r, pair) {
	reads = writes = ","
	pair = name ~ /^amocas\.q/
	for (i = 1; i <= count; i++) {
		r = register(o[i])
		if (i == 1 && r >= 0 && !has_no_result(name)) {
			writes = add(writes, r)
			if (pair && r) writes = add(writes, r + 1)
			if (!is_changed(name)) continue
		}
		if (r >= 0) reads = add(reads, r)
		if (pair && r > 0) reads = add(reads, r + 1)
		r = base_of(o[i])
		if (r >= 0) reads = add(reads, r)
	}
	if (name == "c.jalr") writes = ",1,"
	if (name ~ /^c\.mop\./) reads = add(",", substr(name, 7) + 0)
	if (name == "ecall") reads = ",10,11,12,13,14,15,16,17,"
}
{
	text = $0
	sub(/^[^ ]* */, "", text)
	name = text
	sub(/[ \t].*/, "", name)
	sub(/^[^ \t]*[ \t]*/, "", text)
	count = split(text, o, /, */)
	kind = kind_of(name, o)
	distance = kind ~ /^(branch|jump)$/ || name == "jal" ? o[count] + 0 : 0
	if (kind == "auipc") distance = (o[2] >= 524288 ? o[2] - 1048576 : o[2]) * 4096
	list_registers(name, o, count)
	printf "%s %s %.0f %s %s %s\n", $1, kind, distance, reads, writes, name
}
