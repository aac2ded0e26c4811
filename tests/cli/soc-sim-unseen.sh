# SPDX-License-Identifier: Apache-2.0
# Without an observer the trace port is idle. The machine behaves the same, in the same
# cycles, and ends alike; reports of its traps come from its CSRs.
. "$SRC/tests/cli/soc-model.inc"

# Misses, a trap, a WFI until the timer; then mcycle and minstret go to the UART.
program work.elf << E
.globl _start
_start:	la a0, handler
	csrw mtvec, a0
	la a0, data
	li a1, 64
1:	ld a2, (a0)
	addi a0, a0, 512
	addi a1, a1, -1
	bnez a1, 1b
	li a0, 0x2004000
	li a1, 3
	sd a1, (a0)
	li a1, 0x80
	csrw mie, a1
	wfi
	ebreak
	csrr s0, mcycle
	csrr s1, minstret
	li a0, 0x10000000
	li a1, 8
2:	sb s0, (a0)
	sb s1, (a0)
	srli s0, s0, 8
	srli s1, s1, 8
	li a2, 4000
3:	addi a2, a2, -1
	bnez a2, 3b
	addi a1, a1, -1
	bnez a1, 2b
	li a0, 0x100000
	li a1, 0x2a3333
	sw a1, 0(a0)
	.balign 4
handler: csrr t0, mepc
	addi t0, t0, 2
	csrw mepc, t0
	mret
	.balign 4096
data:
E

# Endless traps: after an interrupt, and in S-mode.
program interrupt.elf << E
.globl _start
_start:	la a0, 1f
	csrw mtvec, a0
	li a0, 0x2000000
	li a1, 1
	sw a1, (a0)
	li a1, 8
	csrw mie, a1
	csrsi mstatus, 8
	j .
	.balign 4
1:	unimp
E
program supervisor.elf << E
.globl _start
_start:	la a0, 1f
	csrw stvec, a0
	li a1, 0xffff
	csrw medeleg, a1
	li a1, -1
	csrw pmpaddr0, a1
	li a1, 31
	csrw pmpcfg0, a1
	li a1, 1 << 11
	csrw mstatus, a1
	la a0, 2f
	csrw mepc, a0
	mret
	.balign 4
1:	unimp
2:	ebreak
E

both() {
	soc-sim "$@" --trace seen.tr > seen.out 2> seen.err
	echo "$*: status $?" >> seen.err
	soc-sim "$@" > out 2> err
	echo "$*: status $?" >> err
	cmp out seen.out
	diff seen.err err
	cat err >&2
}
both work.elf
od -An -tx1 -v out
both work.elf --no-skip
both work.elf --max-instructions 100
both work.elf --max-cycles 9k
both interrupt.elf
both supervisor.elf
both interrupt.elf --lockstep
