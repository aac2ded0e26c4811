# SPDX-License-Identifier: Apache-2.0
# Gives each part of the machine's state a value of its own, and checks it after a mark. At
# the marks checkpoints are taken. Between the values and the mark, and between the mark and
# the check, nothing changes them. A wrong value ends the run with a status that is not 0:
# the number of the check. FLOAT: the machine has F and D. HART (0) does all of this; the
# others wait. The hardware does not know marks 5 and 6 in advance, because they trap: mprv and user
# are before them.

	.equ clint, 0x2000000
	.equ plic, 0xc000000
	.equ uart, 0x10000000
	.ifndef HART
	.equ HART, 0
	.endif
	.equ soft, clint + 4 * HART
	.equ timer, clint + 0x4000 + 8 * HART
	.equ enables, plic + 0x2000 + 0x100 * HART
	.equ context, plic + 0x200000 + 0x2000 * HART

	.globl _start, mark1, mark2, mark3, mark4, mark5, mark6
	.option norelax

# Powers off with the number of the check, unless t0 is `value`, or, below, two registers
# agree.
	.macro expect value
	li	t1, \value
	same
	.endm
	.set	checks, 0
	.macro same
	.set	checks, checks + 1
	li	a0, checks
	bne	t0, t1, fail
	.endm

	.macro put csr, value
	li	t0, \value
	csrw	\csr, t0
	.endm
	.macro is csr, value
	csrr	t0, \csr
	expect	\value
	.endm

# Applies a macro to each CSR and its value. FS is 1 with F and D. MIE is 0, so interrupts
# stay pending.
	.macro each_csr do
	\do	mcounteren, 0x13579bdf
	\do	scounteren, 0x2468ace0
	\do	medeleg, 0xa1a5
	\do	mideleg, 0x202
	\do	mie, 0xa28
	\do	stvec, 0x1234567812345679
	\do	mscratch, 0x1111222233334444
	\do	sscratch, 0x5555666677778888
	\do	mepc, 0x123456789abcdef0
	\do	sepc, 0x0fedcba987654320
	\do	mcause, 0x800000000000000a
	\do	scause, 0x700000000000000d
	\do	mtval, 0xaaaabbbbccccdddd
	\do	stval, 0xeeeeffff00001111
	\do	menvcfg, 1
	\do	senvcfg, 1
	\do	satp, 0x8123400000054321
	\do	mcountinhibit, 0x1fd
	\do	mcycle, 0x0123456789abcdef
	\do	minstret, 0xfedcba9876543210
	\do	mhpmevent3, 0x200
	\do	mhpmevent4, 0x401
	\do	mhpmevent5, 0x102
	\do	mhpmevent6, 0x303
	\do	mhpmevent7, 0x3ffff00
	\do	mhpmevent8, 0x100
	\do	mhpmcounter3, 0x3333333333
	\do	mhpmcounter4, 0x4444444444
	\do	mhpmcounter5, 0x5555555555
	\do	mhpmcounter6, 0x6666666666
	\do	mhpmcounter7, 0x7777777777
	\do	mhpmcounter8, 0x8888888888
	\do	pmpaddr0, 0x11111111111
	\do	pmpaddr1, 0x22222222222
	\do	pmpaddr2, 0x33333333333
	\do	pmpaddr3, 0x4444444444444
	\do	pmpaddr4, 0x5555555555555
	\do	pmpaddr5, 0x6666666666666
	\do	pmpaddr6, 0x7777777777777
	\do	pmpaddr7, 0x8888888888888
	\do	pmpcfg0, 0x1d070b1f05040301
	.endm

# Applies a macro to each register of the devices that reads as written.
	.macro each_device do
	\do	sd, ld, timer, 0x123
	\do	sw, lw, soft, 1
	.irpc	n, 123456789
	\do	sw, lw, plic + 4 * \n, 1 + \n % 7
	.endr
	\do	sw, lw, plic + 4 * 10, 5
	\do	sw, lw, plic + 4 * 17, 2
	\do	sw, lw, plic + 4 * 30, 4
	\do	sw, lw, plic + 4 * 31, 7
	\do	sw, lw, enables, 0x2bcdef74
	\do	sw, lw, enables + 0x80, 0x12345678
	\do	sw, lw, context, 3
	\do	sw, lw, context + 0x1000, 6
	\do	sb, lbu, uart + 3, 0x83
	\do	sb, lbu, uart, 0x47
	\do	sb, lbu, uart + 1, 0xa5
	\do	sb, lbu, uart + 3, 0x1b
	\do	sb, lbu, uart + 4, 0x1d
	\do	sb, lbu, uart + 7, 0x99
	.endm
	.macro store store, load, address, value
	li	t0, \address
	li	t1, \value
	\store	t1, (t0)
	.endm
# LCR is changed to read the divisor.
	.macro loads store, load, address, value
	.if	\address == uart + 3 && \value & 0x80
	store	\store, \load, \address, \value
	.endif
	li	t0, \address
	\load	t0, (t0)
	expect	\value
	.if	\address == uart + 1
	store	sb, lbu, uart + 3, 0x1b
	.endif
	.endm

_start:
	csrr	t0, mhartid
	li	t1, HART
	beq	t0, t1, 2f
1:	wfi
	j	1b
2:	la	t0, trap
	csrw	mtvec, t0

# ------------------------------------------------------------ mark 1: registers, CSRs, devices
	.ifdef	FLOAT
	li	t0, 0x6000
	csrs	mstatus, t0
	.altmacro
	.macro	fill number
	li	t0, 0xf0f0f0f000000001 + \number * 0x100
	fmv.d.x	f\number, t0
	.endm
	.set	n, 0
	.rept	32
	fill	%n
	.set	n, n + 1
	.endr
	.noaltmacro
	li	t0, 0x75
	csrw	fcsr, t0
	.endif

	each_device store
	store	sd, ld, clint + 0xbff8, 0x40000
	# Loop-back: the bytes sent are received. One byte is read again, so that the FIFO does
	# not begin at its first place; its trigger level is 8. Reading IIR clears the transmitter's
	# interrupt, sending a byte sets it again.
	store	sb, lbu, uart + 2, 0x81
	store	sb, lbu, uart, 0x01
	li	t0, uart
	lbu	t1, (t0)
	store	sb, lbu, uart, 0xa1
	store	sb, lbu, uart, 0xb2
	store	sb, lbu, uart, 0xc3
	store	sb, lbu, uart + 1, 0x05

	each_csr put
	csrw	mip, 0
	li	t0, 0x202
	csrw	mip, t0
	li	t0, 0x21980		# MPRV, MPP M, SPP S, MPIE
	.ifdef	FLOAT
	li	t0, 0x23980
	.endif
	csrw	mstatus, t0

	.altmacro
	.macro	number reg
	li	x\reg, 0x0101010101010101 * \reg + 0x7700000000000000
	.endm
	.set	n, 1
	.rept	30
	number	%n
	.set	n, n + 1
	.endr
	.noaltmacro
	la	x31, line
	lr.d	x0, (x31)
mark1:	sc.d	x30, x30, (x31)
	# x30 is in memory if the reservation held. The others follow.
	.altmacro
	.macro	keep reg
	sd	x\reg, 8 * \reg(x31)
	.endm
	.set	n, 1
	.rept	29
	keep	%n
	.set	n, n + 1
	.endr
	.noaltmacro
	sd	x30, 8 * 30(x31)
	csrr	s0, mip
	# Kept in a register: checks change nothing but t0, t1 and a0.
	ld	t0, 8 * 30(x31)
	expect	0
	ld	t0, (x31)
	expect	0x0101010101010101 * 30 + 0x7700000000000000
	.altmacro
	.macro	kept reg
	ld	t0, 8 * \reg(x31)
	expect	%(0x0101010101010101 * \reg + 0x7700000000000000)
	.endm
	.set	n, 1
	.rept	29
	kept	%n
	.set	n, n + 1
	.endr
	.noaltmacro
	# MSIP, MTIP (mtimecmp is low), MEIP (the UART's, above the threshold of M only), and
	# what software wrote.
	mv	t0, s0
	expect	0xa8a
	csrr	t0, mstatus
	li	t1, 0xa00021980
	.ifdef	FLOAT
	li	t1, 0xa00023980
	.endif
	same
	each_csr is
	.ifdef	FLOAT
	csrr	t0, fcsr
	expect	0x75
	.altmacro
	.macro	filled number
	fmv.x.d	t0, f\number
	expect	%(0xf0f0f0f000000001 + \number * 0x100)
	.endm
	.set	n, 0
	.rept	32
	filled	%n
	.set	n, n + 1
	.endr
	.noaltmacro
	.endif
	li	t0, plic + 0x1000
	lw	t0, (t0)
	expect	0x400			# pending
	li	t0, context + 4
	lw	t0, (t0)
	expect	10			# claimed
	li	t0, uart + 2
	lbu	t0, (t0)
	expect	0xcc			# below the trigger level, FIFOs on
	li	t0, uart + 3
	lbu	t0, (t0)
	expect	0x1b			# LCR, before it is changed below
	each_device loads
	li	t0, uart
	lbu	t0, (t0)
	expect	0xa1
	li	t0, uart
	lbu	t0, (t0)
	expect	0xb2

# ------------------------------------------------------------ mark 2: the other half of devices
	# The source is claimed, so it is not pending although the UART still interrupts. The FIFO
	# overruns. There is no reservation.
	store	sd, ld, timer, -1
	store	sw, lw, soft, 0
	li	s1, 17
1:	store	sb, lbu, uart, 0x5a
	addi	s1, s1, -1
	bnez	s1, 1b
	store	sb, lbu, uart + 1, 0x07
	la	s0, line
	ld	s1, (s0)
mark2:	sc.d	t0, s1, (s0)
	expect	1
	csrr	t0, mip
	expect	0x202
	li	t0, context + 4
	lw	t0, (t0)
	expect	0
	li	t0, plic + 0x1000
	lw	t0, (t0)
	expect	0
	li	t0, uart + 2
	lbu	t0, (t0)
	expect	0xc6			# the overrun
	li	t0, uart + 5
	lbu	t0, (t0)
	expect	0x63
	# It does not become pending again when it falls and rises, only when it is completed.
	store	sb, lbu, uart + 1, 0x00
	store	sb, lbu, uart + 1, 0x05
	li	t0, plic + 0x1000
	lw	t0, (t0)
	expect	0
	store	sw, lw, context + 4, 10
	li	t0, context + 4
	lw	t0, (t0)
	expect	10

# ------------------------------------------------------------ mark 3: transmitter, counters, time
	store	sw, lw, context + 4, 10
	store	sb, lbu, uart + 2, 0x02	# FIFOs off, empty
	store	sb, lbu, uart + 1, 0x00
	store	sb, lbu, uart + 1, 0x02
	store	sd, ld, clint + 0xbff8, 0x123456789
	put	mcounteren, -1
	put	mcountinhibit, 0
	put	mhpmevent4, 0
	put	mcycle, 0x5000000000
	put	minstret, 0x7000000000
mark3:	csrr	t0, minstret
	expect	0x7000000000
	csrr	t0, mcycle
	srli	t0, t0, 20
	expect	0x50000
	csrr	t0, time
	srli	t0, t0, 8
	expect	0x1234567
	li	t0, uart + 2
	lbu	t0, (t0)
	expect	0x02			# the transmitter is empty
	li	t0, uart + 2
	lbu	t0, (t0)
	expect	0x01			# reading IIR cleared its interrupt

# ------------------------------------------------------------ mark 4: shortly before a tick
	csrr	t0, time
1:	csrr	t1, time
	beq	t0, t1, 1b
	csrr	t1, mcycle
	li	t2, 2000
2:	csrr	t0, mcycle
	sub	t0, t0, t1
	bltu	t0, t2, 2b
mark4:	csrr	s0, time
	csrr	s1, mcycle
1:	csrr	t0, time
	csrr	s2, mcycle
	beq	t0, s0, 1b
	sub	t0, s2, s1
	sltiu	t0, t0, 1500
	expect	1

# ------------------------------------------------------------ mark 5: MPRV
	# No PMP entry matches: a load fails with the privilege of U, and succeeds with that of M.
	csrw	pmpcfg0, 0
	la	s0, line
	la	s1, denied
	li	s2, 0
	put	satp, 0
	li	t0, 0x21800
	csrc	mstatus, t0
	li	t0, 0x20000
	csrs	mstatus, t0
mprv:	nop
mark5:	ld	t0, (s0)
	j	fail
denied:	li	t0, 0x20000
	csrc	mstatus, t0
	mv	t0, s2
	expect	5

# ------------------------------------------------------------ mark 6: U-mode
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	csrw	medeleg, 0
	csrw	mie, 0
	la	s1, called
	la	t0, user
	csrw	mepc, t0
	li	t0, 0x1800
	csrc	mstatus, t0
	mret
user:	nop
mark6:	ecall
called:	mv	t0, s2
	expect	8
	li	a0, 0x5555
	j	off

# Returns the cause in s2, to the address in s1, in M-mode.
	.balign	4
trap:	csrr	s2, mcause
	jr	s1

fail:	slli	a0, a0, 16
	li	t0, 0x3333
	add	a0, a0, t0
off:	li	t0, 0x100000
	sw	a0, (t0)
	j	off

	.balign	64
line:	.zero	256
