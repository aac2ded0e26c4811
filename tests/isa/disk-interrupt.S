/* SPDX-License-Identifier: Apache-2.0 */
/* The disk interrupts through the PLIC when a request ends, also in WFI, unless the driver
 * does not want it; and code that it writes is executed. */
#include "disk.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* the end of a request interrupts */
	DISK_ON
	POKE32	1, PLIC_PRIORITY(SOC_DISK_IRQ)
	POKE32	0, PLIC_THRESHOLD(0)
	POKE32	1 << SOC_DISK_IRQ, PLIC_ENABLE(0)
	AWAIT_MIP 0
	li	a0, 1 << MEI
	csrw	mie, a0
	START	REQUEST_IN, 5, data, 512, WRITABLE
	csrr	s9, mcycle
	wfi
	csrr	s10, mcycle
	la	t0, used
	lhu	a0, 2(t0)
	EQ	a0, 1
	READ_DISK DISK_INTERRUPT, a0
	EQ	a0, 1
	li	t1, PLIC_CLAIM(0)
	lw	a0, 0(t1)
	EQ	a0, SOC_DISK_IRQ
	sub	s10, s10, s9
	CASE	2			/* the driver ends it */
	POKE32	2, DISK(DISK_ACK)
	READ_DISK DISK_INTERRUPT, a0
	EQ	a0, 1
	POKE32	1, DISK(DISK_ACK)
	READ_DISK DISK_INTERRUPT, a0
	EQ	a0, 0
	POKE32	SOC_DISK_IRQ, PLIC_CLAIM(0)
	AWAIT_MIP 0
	CASE	3			/* more sectors take longer, in the WFI */
	START	REQUEST_IN, 5, data, 8192, WRITABLE
	csrr	s9, mcycle
	wfi
	csrr	a1, mcycle
	sub	a1, a1, s9
	sltu	a0, s10, a1
	EQ	a0, 1
	POKE32	1, DISK(DISK_ACK)
	li	t1, PLIC_CLAIM(0)
	lw	a0, 0(t1)
	sw	a0, 0(t1)
	AWAIT_MIP 0
	CASE	4			/* an interrupt in the middle of a loop */
	START	REQUEST_IN, 5, data, 512, WRITABLE
	TAKE_IN_M
	csrci	mstatus, MSTATUS_MIE
	HANDLED_BY M
	EQ	s2, IRQ | MEI
	POKE32	1, DISK(DISK_ACK)
	li	t1, PLIC_CLAIM(0)
	lw	a0, 0(t1)
	sw	a0, 0(t1)
	AWAIT_MIP 0
	csrw	mie, zero
	CASE	5			/* VRING_AVAIL_F_NO_INTERRUPT */
	la	t0, available
	li	t1, 1
	sh	t1, 0(t0)
	REQUEST	REQUEST_IN, 5, data, 512, WRITABLE, 0, 513
	READ_DISK DISK_INTERRUPT, a0
	EQ	a0, 0
	la	t0, available
	sh	zero, 0(t0)
	CASE	6			/* code that comes from the disk */
	la	a0, data
	la	a1, code
	ld	a2, 0(a1)
	sd	a2, 0(a0)
	REQUEST	REQUEST_OUT, 9, data, 512, 0, 0, 1
	la	a1, code + 8
	ld	a2, 0(a1)
	la	a0, data
	sd	a2, 0(a0)
	fence.i
	li	s10, 0
	jalr	a0
	EQ	s10, 2
	REQUEST	REQUEST_IN, 9, data, 512, WRITABLE, 0, 513
	fence.i
	la	a0, data
	jalr	a0
	EQ	s10, 3
	jr	s11

	.balign	8
	.option	push
	.option	norvc
code:	addi	s10, s10, 1
	ret
	addi	s10, s10, 2
	ret
	.option	pop
