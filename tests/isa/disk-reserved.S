/* SPDX-License-Identifier: Apache-2.0 */
/* What the disk writes ends a reservation, also if the L1D no longer has the line. */
#include "disk.h"

	.globl	test
	.globl	reserved
test:
	mv	s11, ra
	DISK_ON
	CASE	1
	START	REQUEST_IN, 2, data, 512, WRITABLE
	la	s1, data
	li	t1, 4096
	mv	t2, s1
	li	t3, 8
	lr.d	s2, (s1)
1:	add	t2, t2, t1
	ld	t4, 0(t2)			/* of the same set */
	addi	t3, t3, -1
	bnez	t3, 1b
reserved:
	call	await_request
	sc.d	s3, s2, (s1)
	EQ	a0, 0
	snez	a0, s3
	EQ	a0, 1
	jr	s11
