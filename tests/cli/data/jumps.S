# SPDX-License-Identifier: Apache-2.0
# Jumps and traps that are hard to tell apart in a branch trace: an address that is reached
# by falling through to it and by a jump, with a trap behind it the first or the second
# time; jumps whose targets are in the code before them; returns that match no call; traps
# where a jump leads, and right behind a recursive call.
	.section .text.start, "ax"
	.globl _start
_start:
	la	t0, handler
	csrw	mtvec, t0
	la	sp, stack_top
	li	s1, 0		# round
rounds:	addi	a1, sp, -16	# memory
	mv	a2, a1
	bnez	s1, 1f
	li	a1, 1		# none: a trap the first time
1:	li	t0, 1
	bne	s1, t0, 2f
	li	a2, 1		# the second time
2:	la	t2, again
	la	t5, 3f
	.option push
	.option norvc
	.option norelax
	nop
again:	mv	t6, t2		# is reached twice
	ld	t3, 0(a1)
	mv	a1, a2
	mv	t2, t5
	jr	t6
3:	auipc	t1, 0		# a target that the code tells
	jalr	ra, 16(t1)
	nop
	nop
	auipc	t1, 0
	jalr	zero, 12(t1)
	nop
	.option pop
	li	a0, 5
	call	recurse
	la	t6, 4f		# a return that matches no call
	call	swerve
	nop
4:	li	t0, 0x4000	# a jump to where there is no code
	lla	s2, 5f
	jr	t0
5:	li	s2, 0
	la	t0, quick	# a trap where a jump leads
	jalr	t0
	addi	s1, s1, 1
	li	t0, 3
	blt	s1, t0, rounds
	li	t0, 0x5555
	li	t1, 0x100000
	sw	t0, (t1)
6:	j	6b

recurse:
	addi	sp, sp, -16
	sd	ra, 8(sp)
	addi	a0, a0, -1
	blez	a0, 7f
	call	recurse
7:	ecall			# in each of the nested calls
	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret

swerve:	mv	ra, t6
	ret

quick:	ecall
	ret

# Returns to s2, if it is not 0, else behind an instruction of four bytes.
	.balign 4
handler:
	csrr	t3, mepc
	addi	t3, t3, 4
	beqz	s2, 8f
	mv	t3, s2
8:	csrw	mepc, t3
	mret
