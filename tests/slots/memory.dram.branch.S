/* SPDX-License-Identifier: Apache-2.0 */
/* Late branches: returns to a place that a load brings from DRAM, and not behind their call, so
 * that each is mispredicted. What commit loses until then is lost to the load, however the return
 * was predicted. */
#include "slots.inc"

	PROGRAM	500

	.option	norvc
setup:
	la	a0, nodes
	ret

work:
	mv	s5, ra
1:	ld	a0, (a0)
	jal	2f
	.rept	24
	addi	a1, a1, 1
	addi	a2, a2, 1
	addi	a3, a3, 1
	.endr
2:	ld	a0, (a0)
	ld	ra, 8(a0)
	ret
	.rept	24
	addi	a1, a1, 1
	.endr
3:	addi	s9, s9, -1
	bnez	s9, 1b
	jr	s5

	.data
	.balign	64
nodes:	.rept	1100
	.dword	. + 64, 3b
	.skip	48
	.endr
	.dword	nodes, 3b
