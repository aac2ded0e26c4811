# SPDX-License-Identifier: Apache-2.0
# Each reason for which a function is not counted, and functions that have almost the same
# instructions and are.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	cat <<- 'END'
		function begin
			addi sp, sp, -16
			sd ra, 8(sp)
			jal plain
			ecall
		done_ begin
		function plain
			addi a0, a0, 1
			ret
		done_ plain
		function calls
			addi sp, sp, -16
			jal plain
			ret
		done_ calls
		function calls_first
			jal plain
			ret
		done_ calls_first
		function calls_later
			addi sp, sp, -16
			sd ra, 8(sp)
			jal plain
			ret
		done_ calls_later
		function asks_kernel
			c.li a7, 3
			ecall
			ret
		done_ asks_kernel
		function stops
			c.addi a0, 1
			ebreak
			ret
		done_ stops
		function loops_inside
			c.addi a0, 1
		1:	c.addi a1, 1
			bnez a0, 1b
			ret
		done_ loops_inside
		function loops_to_entry
			c.addi a0, -1
			c.addi a1, 1
			bnez a0, loops_to_entry
			ret
		done_ loops_to_entry
		function loops_behind
			c.addi a0, 1
			c.addi a1, 1
		1:	bnez a0, 1b
			ret
		done_ loops_behind
		function short
			ret
		done_ short
		function short_with_padding
			ret
		done_ short_with_padding
			c.nop
		function short_but_enough
			c.addi a0, 1
			ret
		done_ short_but_enough
		function reads_t0
			c.addi a0, 1
			add a0, a0, t0
			ret
		done_ reads_t0
		function reads_t1_later
			c.addi a0, 1
			c.addi a1, 1
			bnez a0, 1f
			li t1, 5
		1:	add a0, a0, t1
			ret
		done_ reads_t1_later
		function writes_t0_first
			li t0, 5
			add a0, a0, t0
			ret
		done_ writes_t0_first
		function returns_by_t0
			addi a0, a0, 1
			jr t0
		done_ returns_by_t0
		function strange
			c.addi a0, 1
			.word 0x0000000b
			ret
		done_ strange
		function outer
			c.addi a0, 1
		function inner
			c.addi a0, 1
			addi a1, a1, 1
			ret
		done_ inner
		done_ outer
	END
} | program a.elf
prof-extract --list a.elf
echo "status $?"
prof-extract --why a.elf | sed 's/^0x[0-9a-f]* //'
echo "status ${PIPESTATUS[0]}"
