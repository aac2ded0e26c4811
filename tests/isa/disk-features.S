/* SPDX-License-Identifier: Apache-2.0 */
/* What the disk refuses before it works: features, queues, accesses. */
#include "disk.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* it needs VIRTIO_F_VERSION_1 */
	POKE32	0, DISK(DISK_STATUS)
	POKE32	3, DISK(DISK_STATUS)
	POKE32	11, DISK(DISK_STATUS)
	READ_DISK DISK_STATUS, a0
	EQ	a0, 3
	CASE	2			/* it accepts no feature that it did not offer */
	POKE32	0, DISK(DISK_ACCEPTED_SEL)
	POKE32	1 << 28, DISK(DISK_ACCEPTED)
	POKE32	1, DISK(DISK_ACCEPTED_SEL)
	POKE32	1, DISK(DISK_ACCEPTED)
	POKE32	11, DISK(DISK_STATUS)
	READ_DISK DISK_STATUS, a0
	EQ	a0, 3
	CASE	3			/* a queue of 3 entries is none */
	POKE32	3, DISK(DISK_QUEUE_NUM)
	POKE32	1, DISK(DISK_QUEUE_READY)
	READ_DISK DISK_QUEUE_READY, a0
	EQ	a0, 0
	CASE	4			/* notices of a queue that is not ready */
	POKE32	0, DISK(DISK_NOTIFY)
	READ_DISK DISK_STATUS, a0
	EQ	a0, 3
	CASE	5			/* a loop of descriptors: it needs a reset */
	DISK_ON
	START	REQUEST_IN, 0, data, 512, WRITABLE
	call	await_request
	EQ	a0, 0
	la	t1, descriptors
	li	t2, NEXT | 0 << 16
	sw	t2, 12(t1)
	la	t0, available
	li	t1, 2
	sh	t1, 2(t0)
	fence	rw, rw
	POKE32	0, DISK(DISK_NOTIFY)
1:	READ_DISK DISK_STATUS, a0
	andi	a1, a0, 64
	beqz	a1, 1b
	READ_DISK DISK_INTERRUPT, a0
	EQ	a0, 3
	CASE	6			/* after which it works again */
	DISK_ON
	REQUEST	REQUEST_IN, 0, data, 512, WRITABLE, 0, 513
	CASE	7			/* other accesses than of 4 bytes */
	li	a1, DISK(0)
	TRY	M, lbu a0, 0(a1)
	WANT	LOAD_ACCESS
	TRY	M, ld a0, 0(a1)
	WANT	LOAD_ACCESS
	TRY	M, sd a0, 0(a1)
	WANT	STORE_ACCESS
	CASE	8			/* a queue that is ready keeps its size and addresses */
	DISK_ON
	POKE32	1, DISK(DISK_QUEUE_NUM)
	POKE32	0, DISK(DISK_DESCRIPTORS)
	POKE32	0, DISK(DISK_DRIVER)
	POKE32	0, DISK(DISK_DEVICE)
	REQUEST	REQUEST_IN, 0, data, 512, WRITABLE, 0, 513
	POKE32	3, DISK(DISK_QUEUE_NUM)
	REQUEST	REQUEST_IN, 1, data, 512, WRITABLE, 0, 513
	READ_DISK DISK_QUEUE_READY, a0
	EQ	a0, 1
	jr	s11
