# SPDX-License-Identifier: Apache-2.0
# Writes a random RV32IMC program of `count` instructions, for lib.S: awk -v seed=1 -f random.awk
# Its end prints the registers and a checksum of the memory that it used, so that two
# machines can be compared. gp, sp and s1 point to that memory; ra and tp are scratch.

function draw(n) {
	state = state * 16807 % 2147483647
	return int(state / 7) % n
}

function pick(words, n, list) {
	n = split(words, list, " ")
	return list[draw(n) + 1]
}

# A register; values that matter are in a few of them.
function any() { return "x" pick("5 6 7 8 10 11 12 13 14 15 16 20 28 31 0") }
function dest() { return "x" pick("5 6 7 8 10 11 12 13 14 15 16 20 28 31") }
function few() { return "x" pick("8 10 11 12 13 14 15") }
function imm(bits, value) { value = draw(2 ^ bits); return value - 2 ^ (bits - 1) }

function operation(kind) {
	kind = draw(12)
	if (kind < 3)
		return pick("add sub sll slt sltu xor srl sra or and") " " dest() ", " any() ", " any()
	if (kind < 5)
		return pick("mul mulh mulhsu mulhu div divu rem remu") " " dest() ", " any() ", " any()
	if (kind < 7)
		return pick("addi slti sltiu xori ori andi") " " dest() ", " any() ", " imm(12)
	if (kind < 8)
		return pick("slli srli srai") " " dest() ", " any() ", " draw(32)
	if (kind < 9)
		return pick("lui auipc") " " dest() ", " draw(1048576)
	return compressed()
}

function compressed(kind) {
	kind = draw(8)
	if (kind == 0) return "c.addi " few() ", " draw(31) + 1
	if (kind == 1) return "c.li " few() ", " imm(6)
	if (kind == 2) return pick("c.srli c.srai c.slli") " " few() ", " draw(31) + 1
	if (kind == 3) return "c.andi " few() ", " imm(6)
	if (kind == 4) return pick("c.sub c.xor c.or c.and c.add c.mv") " " few() ", " few()
	if (kind == 5) return "c.lui " few() ", " draw(31) + 1
	if (kind == 6) return "c.addi4spn " few() ", sp, " 4 * (draw(255) + 1)
	return "c.nop"
}

function access(kind) {
	kind = draw(8)
	if (kind == 0) return pick("lb lbu sb") " " dest() ", " draw(256) "(gp)"
	if (kind == 1) return pick("lh lhu sh") " " dest() ", " 2 * draw(128) "(gp)"
	if (kind < 4) return pick("lw sw") " " dest() ", " 4 * draw(64) "(gp)"
	if (kind < 6) return pick("c.lwsp c.swsp") " " dest() ", " 4 * draw(64) "(sp)"
	return pick("c.lw c.sw") " " few() ", " 4 * draw(32) "(s1)"
}

# A jump over up to three instructions.
function jump(kind, label) {
	label = "1f"
	kind = draw(8)
	if (kind < 4) print "\t" pick("beq bne blt bge bltu bgeu") " " any() ", " any() ", " label
	else if (kind == 4) print "\t" pick("c.beqz c.bnez") " " few() ", " label
	else if (kind == 5) print "\t" pick("c.j c.jal") " " label
	else if (kind == 6) print "\tjal ra, " label
	else {
		print "\tla tp, " label
		print "\t" pick("c.jr c.jalr jr jalr") " tp"
	}
	for (kind = draw(4); kind > 0; kind--) print "\t" operation()
	print "1:"
}

BEGIN {
	state = seed * 7919 + 1
	for (i = 0; i < 20; i++) draw(2)
	print "\t.option rvc\n\t.globl test\ntest:"
	for (i = split("5 6 7 8 10 11 12 13 14 15 16 20 28 31", regs, " "); i > 0; i--)
		print "\tli x" regs[i] ", " (draw(3) ? draw(65536) "*65536+" draw(65536) : \
			pick("0 1 -1 0x80000000 0x7fffffff 0xffff8000"))
	for (i = 0; i < count; i++) {
		kind = draw(10)
		if (kind < 6) print "\t" operation()
		else if (kind < 9) print "\t" access()
		else jump()
	}
	print "\tj print_state"
}
