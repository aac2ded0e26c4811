/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose slots are lost for one reason. A program calls PROGRAM with the number
 * of turns, and defines setup, and work, which loops s9 times and keeps s9 to s11. The
 * window is from `begin`, after one turn that fills caches and predictor, to `end`. */
#ifndef SLOTS_H
#define SLOTS_H

#include "test.h"

.macro PROGRAM turns, warm=1
	.globl	test, begin, end
test:
	mv	s11, ra
	call	setup
	li	s9, \warm
	beqz	s9, 1f
	call	work
1:	li	s9, \turns
	.option	push
	.option	norvc
begin:
	call	work
end:
	nop
	.option	pop
	csrw	mstatus, zero
	jr	s11
.endm

/* The end of work's loop. */
.macro AGAIN to
	addi	s9, s9, -1
	bnez	s9, \to
	ret
.endm

#endif
