# SPDX-License-Identifier: Apache-2.0
# Writes of sp in the trace: writes determined by the instruction's bits are omitted; both
# simulators report all others, and the value of sp where a window opens.
. "$SRC/tests/cli/soc-model.inc"

program a.elf << END
.globl _start, again, moves, adds, loads, last
_start:	li sp, 0x80001000
	la t0, handler
	csrw mtvec, t0
	li t0, 0x80002000
	csrw mscratch, t0
	li s0, 2
again:	addi sp, sp, -64
	.option norvc
adds:	addi sp, sp, -1024
	.option rvc
	sd sp, 8(sp)
	li t1, 32
	sub sp, sp, t1
moves:	mv sp, s0
	li t0, 0x80000c00
	addi sp, t0, -64
	csrrw sp, mscratch, sp
	ecall
loads:	ld sp, -8(sp)
	csrrw sp, mscratch, sp
	addi s0, s0, -1
	bnez s0, again
last:	lui sp, 0
$off
.balign 4
handler: csrrw sp, mscratch, sp
	sd sp, -8(sp)
	csrr t2, mepc
	addi t2, t2, 4
	csrw mepc, t2
	csrrw sp, mscratch, sp
	mret
END

# window OPTION...: prints the window's tokens and events, by the model; the simulator
# must have the same.
window() {
	local tool
	echo "$*"
	for tool in soc-model soc-sim; do
		"$tool" --trace "$tool.tr" "$@" a.elf
		tr-text --tokens "$tool.tr" |
			sed -nE "/^(token|trap|xret|satp|reg|priv|gap|trigger|end end)/{s/ (cycles?|hart|space)=[^ ]*//g;p}" > "$tool"
	done
	cat soc-model
	diff soc-model soc-sim
}
window
window --start pc=adds --stop pc=moves
window --start pc=again --stop pc=adds
window --start pc=loads --stop pc=last
# The simulator recognises a trigger's token after its execution: it can undo an addition
# to sp, but the value before another write is unknown. The model knows it.
window --start pc=moves --stop pc=moves
