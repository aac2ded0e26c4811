# SPDX-License-Identifier: Apache-2.0
# Reads instructions as llvm-mc and objdump write them, without aliases and with numbers of
# registers, after "BYTES " and a blank: "[0x82,0x80] c.jr x1". Writes what stream/decode.h
# should make of each: its control flow; and whether sp is kept, written, or what is added
# to it.
function is_link(register) { return register == "x1" || register == "x5" }
function by_registers(rd, rs1) { # the table of the specification
	if (!is_link(rd)) return is_link(rs1) ? "return" : "indirect"
	return is_link(rs1) && rs1 != rd ? "swap" : "call"
}
function flow_of(name, o, base) {
	if (name ~ /^(beq|bne|blt|bge|bltu|bgeu|c\.beqz|c\.bnez)$/) return "branch"
	if (name == "jal") return is_link(o[1]) ? "call" : "jump"
	if (name == "c.j" || name == "cm.jt") return "jump"
	if (name == "c.jal" || name == "cm.jalt") return "call"
	if (name == "jalr") {
		base = o[2]
		if (sub(/^.*\(/, "", base)) sub(/\).*/, "", base)
		return by_registers(o[1], base)
	}
	if (name == "c.jr") return by_registers("x0", o[1])
	if (name == "c.jalr") return by_registers("x1", o[1])
	if (name ~ /^cm\.popretz?$/) return "return"
	if (name ~ /^[umsd]ret$|^mnret$/) return "xret"
	return "next"
}
# The first operand is what is written, but of these.
function has_no_result(name) {
	return name ~ /^(c\.)?s[bhwdq](sp)?$|^c\.(jr|jalr|beqz|bnez)$|^b(eq|ne|lt|ge|ltu|geu)$/ ||
		name ~ /^(sfence|hfence|sinval|hinval|hsv|cbo|prefetch)/ || name ~ /^s[bhwd]\.(aq)?rl$/
}
function sp_of(name, o, count) {
	if (name ~ /^cm\.(push|pop)/) return o[count] + 0
	if (o[1] != "x2" || has_no_result(name)) return "keeps"
	if (name == "addi" && o[2] == "x2") return o[3] + 0
	if (name == "c.addi" || name == "c.addi16sp") return o[count] + 0
	return "writes"
}
{
	text = $0
	sub(/^[^ ]* */, "", text)
	name = text
	sub(/[ \t].*/, "", name)
	sub(/^[^ \t]*[ \t]*/, "", text)
	count = split(text, o, /, */)
	print $1, flow_of(name, o), sp_of(name, o, count), name
}
