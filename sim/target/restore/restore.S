/* SPDX-License-Identifier: Apache-2.0 */
/* The code of the page that soc-restore adds to an ELF file: restores a hart and its
 * devices from the table of values behind it, and enters the program. It runs in M-mode,
 * at any address, which depends on the page alone.
 *
 * A core need not have all that is restored: with t1 = 0 an instruction that traps is
 * skipped. Otherwise a trap is a failure, as is a CSR that does not keep its value.
 *
 * s0 is the table, s6 whether there are devices. */
#include "../csr.h"
#include "restore/table.h"
#include "soc.h"

#define UART_IER  1
#define UART_IIR  2
#define UART_FCR  2
#define UART_LCR  3
#define UART_MCR  4
#define UART_LSR  5
#define UART_SCR  7
#define LCR_DLAB  0x80
#define LSR_EMPTY 0x20

#define STATUS_FS 0x6000

/* Loads the next value of the table. */
.macro next reg
	ld	\reg, at(s0)
	.set	at, at + 8
.endm

/* CSRs, with the next value: one that the core must have unless this is 0; one that it
 * must also keep; and one that it need not have, with t1 = 0. */
.macro plain csr
	next	t1
	csrw	\csr, t1
.endm
.macro kept csr
	plain	\csr
	mv	t0, t1
	csrr	t0, \csr
	bne	t0, t1, fail
.endm
.macro optional csr
	next	t2
	csrw	\csr, t2
.endm
#define PLAIN(csr) plain csr;
#define KEPT(csr)  kept csr;

	.option	norvc
	.option	norelax
	.option	arch, +d
	.set	at, 0
	.text
	.globl	_start
_start:
page:
	auipc	t0, 0
	ld	t0, RESTORE_ENTRY(t0)
	jr	t0
	nop
	.dword	0
	.if	. - page != RESTORE_JUMP || . - page != RESTORE_HALT
	.error	"the jump has another size"
	.endif
halt:	j	halt
	.org	page + RESTORE_BEGIN /* an error if this is behind it */


	csrw	mie, zero
	csrci	mstatus, 8
	la	t0, trap
	csrw	mtvec, t0
	csrr	t0, mhartid
	bnez	t0, wait
	la	s0, page + RESTORE_TABLE
	next	s6
	li	t1, 1

	/* The memory that the jump has replaced. */
	li	s1, SOC_RESET_PC
	.irp	n, 0, 8, 16
	next	t2
	sd	t2, \n(s1)
	.endr
	fence.i

	next	t2
	beqz	t2, 1f
	li	t0, STATUS_FS
	csrs	mstatus, t0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, \
		21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fld	f\n, (at + 8 * \n)(s0)
	.endr
	ld	t2, (at + 8 * 32)(s0)
	csrw	fcsr, t2
1:	.set	at, at + 8 * 33

	/* The UART. Enabling its interrupt for an empty transmitter raises it. */
	beqz	s6, no_devices
	li	s1, SOC_UART_BASE
	sb	zero, UART_LCR(s1)
	sb	zero, UART_IER(s1)
	next	t2
	sb	t2, UART_FCR(s1)
	li	t0, LCR_DLAB
	sb	t0, UART_LCR(s1)
	next	t2
	sb	t2, 0(s1)
	next	t2
	sb	t2, 1(s1)
	sb	zero, UART_LCR(s1)
	next	t2
	sb	t2, UART_MCR(s1)
	next	t2
	sb	t2, UART_SCR(s1)
	next	t2
	sb	t2, UART_IER(s1)
	next	t2
	beqz	t2, 1f
	lbu	t2, UART_IIR(s1)
1:	next	t2
	sb	t2, UART_LCR(s1)

	/* The PLIC: what is pending without a line any more is claimed and completed. A
	 * source whose line is high becomes pending again. */
	li	s1, SOC_PLIC_BASE
	li	s2, SOC_PLIC_BASE + 0x2000
	li	s3, SOC_PLIC_BASE + 0x200000
	li	s4, SOC_PLIC_BASE + 0x201000
	li	t0, 1
	li	t2, SOC_PLIC_SOURCES
	mv	t3, s1
1:	addi	t3, t3, 4
	sw	t0, (t3)
	addi	t2, t2, -1
	bnez	t2, 1b
	li	t0, -2
	sw	t0, (s2)
	sw	zero, 0x80(s2)
	sw	zero, (s3)
	li	t3, 0
1:	lw	t0, 4(s3)
	beqz	t0, 2f
	sll	t0, t1, t0
	or	t3, t3, t0
	j	1b
2:	li	t2, SOC_PLIC_SOURCES
1:	srl	t0, t3, t2
	andi	t0, t0, 1
	beqz	t0, 2f
	sw	t2, 4(s3)
2:	addi	t2, t2, -1
	bnez	t2, 1b
	/* Their priorities, and the registers of the contexts of M and S. */
	addi	t3, s0, at
	.set	at, at + 8 * SOC_PLIC_SOURCES
	li	t2, SOC_PLIC_SOURCES
1:	ld	t0, (t3)
	addi	t3, t3, 8
	addi	s1, s1, 4
	sw	t0, (s1)
	addi	t2, t2, -1
	bnez	t2, 1b
	next	t2
	sw	t2, (s2)
	next	t2
	sw	t2, (s3)
	next	t2
	sw	t2, 0x80(s2)
	next	t2
	sw	t2, (s4)
no_devices:

	RESTORE_CSRS(PLAIN, KEPT)
	sfence.vma

	li	t1, 0
	.irp	n, 3, 4, 5, 6, 7, 8
	optional mhpmcounter\n
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	optional pmpaddr\n
	.endr
	optional pmpcfg0
	optional mcountinhibit
	.irp	n, 3, 4, 5, 6, 7, 8
	optional mhpmevent\n
	.endr
	li	t1, 1

	beqz	s6, 1f
	li	s1, SOC_CLINT_BASE
	li	s2, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	li	s3, SOC_CLINT_BASE + SOC_CLINT_MTIME
	ld	t2, at(s0)
	sw	t2, SOC_CLINT_MSIP(s1)
	ld	t2, (at + 8)(s0)
	sd	t2, (s3)
	ld	t2, (at + 16)(s0)
	sd	t2, (s2)
1:	.set	at, at + 24

	kept	mtvec
	plain	mcause
	plain	mtval
	plain	mepc
	/* With the fields UXL and SXL as they are. */
	next	t1
	csrr	t0, mstatus
	li	t2, 15
	slli	t2, t2, 32
	and	t0, t0, t2
	or	t1, t1, t0
	csrw	mstatus, t1
	next	t1
	next	t2
	csrw	mcycle, t1
after_cycle:
	csrw	minstret, t2
after_instret:
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, \
		21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	ld	x\n, (at + 8 * \n)(s0)
	.endr
	ld	s0, (at + 8 * 8)(s0)
	mret
	.if	(. - after_cycle) / 4 != RESTORE_AFTER_CYCLE || \
		(. - after_instret) / 4 != RESTORE_AFTER_INSTRET
	.error	"another number of instructions after the counters"
	.endif
	.set	at, at + 8 * 32
	.if	at != 8 * RESTORE_VALUES
	.error	"another number of values"
	.endif

	/* A simulator has one hart; should it have more, these sleep. */
wait:	wfi
	j	wait

	.balign	4
trap:	bnez	t1, fail
	csrr	t3, mepc
	addi	t3, t3, 4
	csrw	mepc, t3
	mret

	/* Says so and ends the simulation, with the devices; without them, or if that
	 * does not help, mepc is where it trapped, or t1 the value that was not kept. */
fail:	la	t0, halt
	csrw	mtvec, t0
	beqz	s6, halt
	la	s1, message
	li	s2, SOC_UART_BASE
1:	lbu	t0, (s1)
	beqz	t0, 3f
2:	lbu	t2, UART_LSR(s2)
	andi	t2, t2, LSR_EMPTY
	beqz	t2, 2b
	sb	t0, (s2)
	addi	s1, s1, 1
	j	1b
3:	li	t0, SOC_POWER_BASE
	li	t2, SOC_POWER_FAIL | 1 << 16
	sw	t2, (t0)
	j	halt
message:
	.asciz	"soc-restore: the core or a device lacks what the checkpoint needs\n"
	.org	page + RESTORE_TABLE
