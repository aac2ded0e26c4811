/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code, trap recorders, pass, fail and page tables of the programs. */
#include "test.h"

	.section .text.start, "ax"
	.globl	_start
_start:
#ifdef HART	/* one of several; the others sleep */
	csrw	mie, zero
	csrr	t0, mhartid
	li	t1, HART
	beq	t0, t1, 1f
0:	wfi
	j	0b
1:
#endif
	la	t0, trap_m
	csrw	mtvec, t0
	la	t0, trap_s
	csrw	stvec, t0
	csrw	medeleg, zero
	csrw	mideleg, zero
	csrw	mie, zero
	li	t0, -1
	li	t1, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	sd	t0, 0(t1)
	li	t0, -1
	csrw	pmpaddr7, t0
	li	t0, 0x1f << 56
	csrw	pmpcfg0, t0
	la	sp, stack_top
	li	gp, 0
	la	s1, fail
	li	s6, 0
	li	s7, 0
	call	test

	.globl	pass
pass:
	li	t0, SOC_POWER_OFF
	j	power_off

	/* Case 0 is a trap or failure before the first case: reports 255. */
	.globl	fail
fail:
	bnez	gp, 1f
	li	gp, 255
1:	slli	t0, gp, 16
	li	t1, SOC_POWER_FAIL
	or	t0, t0, t1

power_off:
	li	t1, SOC_POWER_BASE
	sw	t0, 0(t1)
1:	j	1b

	/* Both recorders end in M-mode at s1 with s2 cause, s3 epc, s4 tval,
	 * s5 status, and in s6 the mode that took the trap. */
	.balign	4
	.globl	trap_m
trap_m:
	bnez	s6, 1f
	csrr	s2, mcause
	csrr	s3, mepc
	csrr	s4, mtval
	csrr	s5, mstatus
	li	s6, M
1:	jr	s1

	.balign	4
	.globl	trap_s
trap_s:
	csrr	s2, scause
	csrr	s3, sepc
	csrr	s4, stval
	csrr	s5, sstatus
	li	s6, S
	ecall

	/* Sv39 for S and U: see USER_ALIAS in test.h. Clobbers t0 and t1. */
	.globl	vm_on
vm_on:
	la	t1, vm_root
	li	t0, (SOC_RAM_BASE >> 2) | RWX
	sd	t0, 16(t1)
	li	t0, (SOC_RAM_BASE >> 2) | RWX | PU
	sd	t0, 24(t1)
	la	t0, vm_l1
	srli	t0, t0, 2
	ori	t0, t0, V
	sd	t0, 8(t1)
	la	t1, vm_l1
	la	t0, vm_l0
	srli	t0, t0, 2
	ori	t0, t0, V
	sd	t0, 0(t1)
	la	t0, vm_root
	srli	t0, t0, 12
	li	t1, SATP_SV39
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	ret

	.bss
	.balign	4096
	.globl	vm_root, vm_l1, vm_l0
vm_root: .skip	4096
vm_l1:	.skip	4096
vm_l0:	.skip	4096
	.balign	16
	.skip	1024
stack_top:
