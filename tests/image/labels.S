# SPDX-License-Identifier: Apache-2.0
# A fixture of assembly: functions with and without type and size.

	.section .text.start, "ax"
	.globl _start
_start:
	call main
again:
	j again

	.text
	.globl sink
	.type sink, @function
sink:
	mv t0, a0
sink_loop:
	addi t0, t0, -1
	bgtz t0, sink_loop
	ret

	.globl sized
	.type sized, @function
sized:
	nop
inner:
	ret
	.size sized, . - sized

	.globl behind
behind:
	.word 0
	ret
	.globl table
	.type table, @object
table:
	.dword 1, 2
	.size table, 16
	.globl _last
	.globl last_but_longer
_last:
last_but_longer:
	ret
