# SPDX-License-Identifier: Apache-2.0
# Functions of a stripped program that it only calls: those that no call shows, data between
# them, and what is called but no function.
. "$SRC/tests/cli/prof-extract.inc"
program a.elf -mno-relax <<- 'END'
	.option norelax
	.globl begin
	begin:
		.cfi_startproc
		addi a1, a1, 1
	middle:
		jal ra, first
		ret
		.cfi_endproc
	first: # called by begin
		addi sp, sp, -16
		call far
		addi sp, sp, 16
		ret
		.balign 16
	far: # called by first with two instructions
		beqz a0, 1f
		jal ra, middle
		jal ra, entered
		jal ra, behind_padding
		jal ra, broken
		jal ra, between
		jal ra, astray
		jal ra, returns
	1:	jal ra, begin # does not return
	returns: # shorter than an entry, which must not reach into what follows
		ret
	pointed_too:
		addi a1, a1, 2
		ret
	pointed: # between functions, and not called itself
		addi a1, a1, 1
		jal ra, sets
		ret
	sets: # as long as an entry
		li a0, 0
		ret
	continues:
		addi a1, a1, 3
	entered: # called, and also what the instruction before continues with
		addi a1, a1, 4
		nop
	behind_padding: # so is this one
		addi a1, a1, 5
		jal ra, into
		ret
	broken: # data behind it: what could be a call, and what is no instruction
		ret
		jal ra, not_called
		.word 0xffffffff
		.2byte 0x0513
	listed: # behind what is wrong; it ends within what is read as an instruction
		.cfi_startproc
		addi sp, sp, -16
		jal ra, by_listed
		ret
		.2byte 0x0513
		.cfi_endproc
		addi a1, a1, 7
		jal ra, by_unread
		ret
	not_called:
		addi a1, a1, 6
		ret
	by_listed:
		addi a1, a1, 8
		ret
	by_unread:
		addi a1, a1, 9
		ret
	into: # jumps between the instructions of another one: either may be none
		c.j between + 2
		jal ra, doubted
		ret
	between:
		.option norvc
		lui a2, 0x12345
		ret
		.option rvc
	astray: # jumps to where no code is
		.word 0x0004006f
	doubted: # called only by one of these
		addi a1, a1, 10
		ret
		.data
		.balign 8
		.dword pointed, pointed_too, continues, not_called
END
riscv64-linux-gnu-strip -o stripped.elf a.elf
prof-extract --list stripped.elf > list.csv
riscv64-linux-gnu-nm a.elf | awk '
	function name(address) { sub(/^0x0*/, "", address); return address in names ? names[address] : address }
	FILENAME == "-" { sub(/^0*/, "", $1); names[$1] = $3; next }
	{ split($0, cell, ","); print name(cell[1]), $0 }' - list.csv
