/* SPDX-License-Identifier: Apache-2.0 */
/* S turns translation on while its own page is not mapped: the fetch faults, and
 * execution continues at stvec, a virtual address. Kernels start like this. */
#include "test.h"

#define HIGH 0xffffffffc0000000 /* where RAM will be */

	.globl	test
test:
	mv	s11, ra
	VM_ON
	csrr	a0, satp
	csrw	satp, zero
	la	a2, vm_root		/* only the last gigabyte is mapped */
	sd	zero, 16(a2)
	li	a3, (SOC_RAM_BASE >> 2) | RWX
	la	a2, vm_root + 8 * 511
	sd	a3, 0(a2)
	li	a2, 1 << FETCH_PAGE
	csrw	medeleg, a2
	li	a4, HIGH - SOC_RAM_BASE
	la	a2, 3f
	add	a2, a2, a4
	csrw	stvec, a2
	CASE	1
	la	a2, 1f
	csrw	mepc, a2
	li	a2, S << 11
	csrw	mstatus, a2
	la	s1, 4f
	li	s6, 0
	mret

	.balign	4
1:	sfence.vma
	csrw	satp, a0
2:	j	2b			/* not mapped */
	.balign	4
3:	csrr	a1, scause
	csrr	a2, sepc
	csrr	a3, stval
	auipc	a5, 0
	ecall
4:	EQ	s2, ECALL_S
	EQ	a1, FETCH_PAGE
	la	a6, 2b
	EQ_REG	a2, a6
	EQ_REG	a3, a6
	CASE	2			/* it has run at the high address */
	srli	a5, a5, 30
	EQ	a5, HIGH >> 30
	addi	s3, s3, -4
	srli	s3, s3, 30
	EQ	s3, HIGH >> 30
	jr	s11
