/* SPDX-License-Identifier: Apache-2.0 */
/* The disk: it reads, writes, flushes and names itself, and answers what it cannot do. */
#include "disk.h"

.macro WORD_IS address, value
	la	a0, \address
	ld	a0, 0(a0)
	la	a1, 900f
	ld	a1, 0(a1)
	EQ_REG	a0, a1
	j	901f
	.balign	8
900:	.ascii	"\value\n"
901:
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* a block device behind virtio-mmio 2 */
	READ_DISK 0, a0
	EQ	a0, 0x74726976
	READ_DISK 4, a0
	EQ	a0, 2
	READ_DISK 8, a0
	EQ	a0, 2
	READ_DISK DISK_CAPACITY, a0
	EQ	a0, DISK_SECTORS
	READ_DISK DISK_CAPACITY + 4, a0
	EQ	a0, 0
	POKE32	1, DISK(DISK_FEATURES_SEL)
	READ_DISK DISK_FEATURES, a0
	andi	a0, a0, 1
	EQ	a0, 1
	CASE	2			/* one queue */
	POKE32	1, DISK(DISK_QUEUE_SEL)
	READ_DISK DISK_QUEUE_MAX, a0
	EQ	a0, 0
	POKE32	0, DISK(DISK_QUEUE_SEL)
	READ_DISK DISK_QUEUE_MAX, a0
	sltiu	a0, a0, QUEUE
	EQ	a0, 0
	DISK_ON
	READ_DISK DISK_QUEUE_READY, a0
	EQ	a0, 1
	CASE	3			/* a sector */
	REQUEST	REQUEST_IN, 2, data, 512, WRITABLE, 0, 513
	WORD_IS	data, 0000128
	WORD_IS	data + 504, 0000191
	CASE	4			/* several, up to the last */
	REQUEST	REQUEST_IN, DISK_SECTORS - 16, data, 8192, WRITABLE, 0, 8193
	WORD_IS	data, 0007168
	WORD_IS	data + 8184, 0008191
	CASE	5			/* what is written is read again, and nothing else */
	la	a0, data
	sd	a0, 0(a0)
	sd	a0, 1016(a0)
	REQUEST	REQUEST_OUT, 7, data, 1024, 0, 0, 1
	REQUEST	REQUEST_IN, 6, data + 4096, 2048, WRITABLE, 0, 2049
	la	a1, data
	ld	a0, 512(a1)
	WORD_IS	data + 4096 + 504, 0000447
	la	a1, data
	li	a2, 4096 + 512
	add	a2, a2, a1
	ld	a0, 0(a2)
	EQ_REG	a0, a1
	ld	a0, 1016(a2)
	EQ_REG	a0, a1
	WORD_IS	data + 4096 + 1536, 0000576
	CASE	6			/* flush, and its name */
	REQUEST	REQUEST_FLUSH, 0, data, 0, 0, 0, 1
	REQUEST	REQUEST_ID, 0, data, 20, WRITABLE, 0, 21
	CASE	7			/* behind the end, and parts of sectors */
	START	REQUEST_IN, DISK_SECTORS, data, 512, WRITABLE
	call	await_request
	EQ	a0, 1
	START	REQUEST_IN, DISK_SECTORS - 1, data, 1024, WRITABLE
	call	await_request
	EQ	a0, 1
	START	REQUEST_IN, -1, data, 512, WRITABLE
	call	await_request
	EQ	a0, 1
	START	REQUEST_OUT, DISK_SECTORS, data, 512, 0
	call	await_request
	EQ	a0, 1
	START	REQUEST_IN, 0, data, 500, WRITABLE
	call	await_request
	EQ	a0, 1
	CASE	8			/* a request that it does not know */
	START	77, 0, data, 512, WRITABLE
	call	await_request
	EQ	a0, 2
	CASE	9			/* the ring goes round */
	li	s10, 20
1:	REQUEST	REQUEST_IN, 3, data, 512, WRITABLE, 0, 513
	WORD_IS	data, 0000192
	addi	s10, s10, -1
	bnez	s10, 1b
	CASE	10			/* after a reset it begins anew */
	DISK_ON
	REQUEST	REQUEST_IN, 1, data, 512, WRITABLE, 0, 513
	WORD_IS	data, 0000064
	jr	s11
