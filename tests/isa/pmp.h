/* SPDX-License-Identifier: Apache-2.0 */
/* Macros for the PMP: entry 7 allows everything unless a program changes it. */
#ifndef PMP_H
#define PMP_H

#include "test.h"

#define PMP_R	  0x01
#define PMP_W	  0x02
#define PMP_X	  0x04
#define PMP_TOR	  0x08
#define PMP_NA4	  0x10
#define PMP_NAPOT 0x18
#define PMP_L	  0x80

/* Configuration byte of one entry. Uses t0 and t1. */
.macro PMPCFG entry, value
	csrr	t0, pmpcfg0
	li	t1, ~(0xff << (8 * \entry))
	and	t0, t0, t1
	li	t1, (\value) << (8 * \entry)
	or	t0, t0, t1
	csrw	pmpcfg0, t0
	sfence.vma
.endm

/* Address register: a symbol, plus low bits that encode the NAPOT size. */
.macro PMPADDR entry, symbol, low=0
	la	t0, \symbol
	srli	t0, t0, 2
	ori	t0, t0, \low
	csrw	pmpaddr\entry, t0
	sfence.vma
.endm

.macro LOAD_OK mode, reg
	TRY	\mode, lb a1, 0(\reg)
	OK	\mode
.endm

.macro LOAD_NOT mode, reg
	TRY	\mode, lb a1, 0(\reg)
	WANT	LOAD_ACCESS
	EQ_REG	s4, \reg
.endm

.macro STORE_OK mode, reg
	TRY	\mode, sb zero, 0(\reg)
	OK	\mode
.endm

.macro STORE_NOT mode, reg
	TRY	\mode, sb zero, 0(\reg)
	WANT	STORE_ACCESS
	EQ_REG	s4, \reg
.endm

/* Fetches the byte at reg, which starts an ecall. */
.macro FETCH_OK mode, reg
	TRY_JUMP \mode, \reg
	EQ	s2, (8 + \mode)
.endm

.macro FETCH_NOT mode, reg
	TRY_JUMP \mode, \reg
	WANT_AT	FETCH_ACCESS, \reg, \reg
.endm

#endif
