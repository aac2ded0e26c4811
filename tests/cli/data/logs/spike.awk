# SPDX-License-Identifier: Apache-2.0
# Writes the text of a trace (tr-text --tokens) as Spike's -l --log-commits would.
BEGIN {
	split("instruction_address_misaligned instruction_access_fault illegal_instruction breakpoint " \
		"load_address_misaligned load_access_fault store_address_misaligned store_access_fault " \
		"user_ecall supervisor_ecall virtual_supervisor_ecall machine_ecall " \
		"instruction_page_fault load_page_fault - store_page_fault", traps, " ")
	mode["M"] = 3; mode["S"] = 1; mode["U"] = 0
}
function hex(word) { return "0x" substr("0000000000000000" substr(word, 3), length(word) - 1) }
function value(word) { sub(/^[a-z]+=/, "", word); return word }
function commit() { if (held != "") print held writes; held = writes = "" }
$1 == "token" {
	commit()
	match($0, / priv=./)
	print "core   0: " hex($2) " (0x" substr("00000000" $3, length($3) + 1) ") insn"
	held = "core   0: " mode[substr($0, RSTART + 6, 1)] " " hex($2) " (0x" $3 ")"
}
$1 == "reg" { writes = writes " " $2 "  " hex($3) }
$1 == "satp" { writes = writes " c384_satp " hex($2) }
$1 == "trap" {
	commit()
	print "core   0: exception " ($2 ~ /^i/ ? "interrupt #" value($2) : "trap_" traps[value($2) + 1]) \
		", epc " hex(value($4))
	print "core   0:           tval " hex(value($5))
}
END { commit() }
