# SPDX-License-Identifier: Apache-2.0
# Turns the text of a stream of one hart (tr-text --tokens) into commits, one a line, as
# replay.sv and harness.c read them: pc, address of the next, instruction, mode, trap, intr,
# rd, its value, satp, cause; all hexadecimal.

function hex(text) { sub(/^0x/, "", text); return text }

function out(next_pc) {
	if (held)
		print pc, next_pc, insn, mode, trap, intr, rd, value, satp, cause
	held = 0
}

function field(name, i) {
	for (i = 2; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2)
}

function commit(address, bits, is_trap) {
	out(address)
	held = 1
	pc = address
	insn = bits
	trap = is_trap
	intr = handler
	cause = handler_cause
	rd = value = handler = handler_cause = 0
}

BEGIN {
	handler = handler_cause = satp = 0
	split("U 0 S 1 M 3", words, " ")
	for (i = 1; i < 6; i += 2) modes[words[i]] = words[i + 1]
}

$1 == "hart" { mode = modes[field("priv")]; satp_now = hex(field("satp")) }
$1 == "token" {
	commit(hex($2), $3, 0)
	mode = modes[field("priv")]
	satp = satp_now = hex(field("satp"))
}
$1 == "reg" && held { rd = hex($2) == "x2" ? 2 : 4; value = hex($3) }
$1 == "xret" { after_xret = modes[field("priv")] }
# An exception is a commit, in the mode before it; an interrupt only marks the handler.
$1 == "trap" && field("cause") != "" {
	was = after_xret != "" ? after_xret : mode
	commit(hex(field("epc")), "0", 1)
	mode = was
	satp = satp_now
	cause = sprintf("%x", field("cause"))
	handler = 1
}
# The hart would have continued at epc.
$1 == "trap" && field("interrupt") != "" {
	out(hex(field("epc")))
	handler = 1
	handler_cause = sprintf("8%015x", field("interrupt"))
}
$1 != "xret" && $1 != "reg" { after_xret = "" }
END { out(0) }
