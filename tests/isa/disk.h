/* SPDX-License-Identifier: Apache-2.0 */
/* A driver of the disk, as macros and functions; a program includes it once. Byte 8n of the
 * disk has the number n in seven decimal digits and a newline (isa.mk). */
#ifndef DISK_H
#define DISK_H

#include "irq.h"

#define DISK(register) (SOC_DISK_BASE + (register))
#define DISK_FEATURES	  0x010
#define DISK_FEATURES_SEL 0x014
#define DISK_ACCEPTED	  0x020
#define DISK_ACCEPTED_SEL 0x024
#define DISK_QUEUE_SEL	  0x030
#define DISK_QUEUE_MAX	  0x034
#define DISK_QUEUE_NUM	  0x038
#define DISK_QUEUE_READY  0x044
#define DISK_NOTIFY	  0x050
#define DISK_INTERRUPT	  0x060
#define DISK_ACK	  0x064
#define DISK_STATUS	  0x070
#define DISK_DESCRIPTORS  0x080
#define DISK_DRIVER	  0x090
#define DISK_DEVICE	  0x0a0
#define DISK_CAPACITY	  0x100

#define DISK_SECTORS 128

#define QUEUE	    8
#define NEXT	    1
#define WRITABLE    2
#define REQUEST_IN  0
#define REQUEST_OUT 1
#define REQUEST_FLUSH 4
#define REQUEST_ID  8

.macro READ_DISK offset, reg
	li	t1, DISK(\offset)
	lwu	\reg, 0(t1)
.endm

.macro QUEUE_AT offset, symbol
	la	t0, \symbol
	li	t1, DISK(\offset)
	sw	t0, 0(t1)
	srli	t0, t0, 32
	sw	t0, 4(t1)
.endm

/* Resets the disk and sets up its queue of QUEUE entries. */
.macro DISK_ON
	POKE32	0, DISK(DISK_STATUS)
	POKE32	3, DISK(DISK_STATUS)
	POKE32	0, DISK(DISK_ACCEPTED_SEL)
	POKE32	0, DISK(DISK_ACCEPTED)
	POKE32	1, DISK(DISK_ACCEPTED_SEL)
	POKE32	1, DISK(DISK_ACCEPTED)		/* VIRTIO_F_VERSION_1 */
	POKE32	11, DISK(DISK_STATUS)
	READ_DISK DISK_STATUS, a0
	EQ	a0, 11
	POKE32	0, DISK(DISK_QUEUE_SEL)
	POKE32	QUEUE, DISK(DISK_QUEUE_NUM)
	QUEUE_AT DISK_DESCRIPTORS, descriptors
	QUEUE_AT DISK_DRIVER, available
	QUEUE_AT DISK_DEVICE, used
	la	t0, available
	sw	zero, 0(t0)
	la	t0, used
	sw	zero, 0(t0)
	POKE32	1, DISK(DISK_QUEUE_READY)
	POKE32	15, DISK(DISK_STATUS)
.endm

/* Makes request `type` for `sector`, with `size` bytes at `data`, which the disk writes if
 * `flags` is WRITABLE, and starts it. */
.macro START type, sector, data, size, flags
	li	a0, \type
	li	a1, \sector
	la	a2, \data
	li	a3, \size
	li	a4, \flags
	call	start_request
.endm

/* The same, waits for its end, and checks its status and the length in the used ring. */
.macro REQUEST type, sector, data, size, flags, status, length
	START	\type, \sector, \data, \size, \flags
	call	await_request
	EQ	a0, \status
	EQ	a1, \length
.endm

	.text
start_request:
	la	t0, header
	sw	a0, 0(t0)
	sw	zero, 4(t0)
	sd	a1, 8(t0)
	la	t1, descriptors
	sd	t0, 0(t1)			/* 0: the header */
	li	t2, 16
	sw	t2, 8(t1)
	li	t2, NEXT | 1 << 16
	bnez	a3, 1f
	li	t2, NEXT | 2 << 16		/* without data */
1:	sw	t2, 12(t1)
	sd	a2, 16(t1)			/* 1: the data */
	sw	a3, 24(t1)
	li	t2, 2 << 16 | NEXT
	or	t2, t2, a4
	sw	t2, 28(t1)
	la	t0, status
	li	t2, 0x55
	sb	t2, 0(t0)
	sd	t0, 32(t1)			/* 2: the status */
	li	t2, 1
	sw	t2, 40(t1)
	li	t2, WRITABLE
	sw	t2, 44(t1)
	la	t0, available
	lhu	t1, 2(t0)
	andi	t2, t1, QUEUE - 1
	slli	t2, t2, 1
	add	t2, t2, t0
	sh	zero, 4(t2)			/* descriptor 0 */
	fence	rw, rw
	addi	t1, t1, 1
	sh	t1, 2(t0)
	fence	rw, rw
	li	t1, DISK(DISK_NOTIFY)
	sw	zero, 0(t1)
	ret

	/* Returns the status in a0 and the length in a1. */
await_request:
	la	t0, available
	lhu	t1, 2(t0)
	la	t0, used
1:	lhu	t2, 2(t0)
	bne	t1, t2, 1b
	fence	rw, rw
	addi	t1, t1, -1
	andi	t1, t1, QUEUE - 1
	slli	t1, t1, 3
	add	t1, t1, t0
	lwu	a1, 8(t1)
	la	t0, status
	lbu	a0, 0(t0)
	ret

	/* Sets a0 to the sum of the doublewords in [a0, a0 + a1). */
	.globl	sum_words
sum_words:
	mv	t0, a0
	add	a1, a1, a0
	li	a0, 0
1:	ld	t1, 0(t0)
	add	a0, a0, t1
	addi	t0, t0, 8
	bltu	t0, a1, 1b
	ret

	.bss
	.balign	4096
descriptors: .skip 16 * QUEUE
available: .skip 4 + 2 * QUEUE
	.balign	4
used:	.skip	4 + 8 * QUEUE
	.balign	16
header:	.skip	16
status:	.skip	8
	.balign	4096
data:	.skip	8192
	.text
#endif
