# SPDX-License-Identifier: Apache-2.0
# Where a program takes no interrupts, and for how long: between instructions that it counts.
cat > app.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	t0, handler
	csrw	mtvec, t0
	csrsi	mstatus, 8	# its beginning is not known
	call	by_bits
	call	by_value
	call	by_bits
	call	by_trap
	call	by_waiting
	call	for_long
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
	.text
	.macro	function name
	.globl	\name
	.type	\name, @function
\name:
	.endm
	.macro	times n
	.rept	\n
	nop
	.endr
	.endm
	function by_bits	# 11 cycles
	csrci	mstatus, 8
	times	10
	csrsi	mstatus, 8
	ret
	.size	by_bits, . - by_bits
	function by_value	# 23; it is masked already at the second instruction
	csrrw	t0, mstatus, zero
	csrci	mstatus, 8
	times	20
	csrs	mstatus, zero
	csrw	mstatus, t0
	ret
	.size	by_value, . - by_value
	function by_trap	# 7, in the handler
	ecall
	ret
	.size	by_trap, . - by_trap
	function handler
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	times	4
	mret
	.size	handler, . - handler
	function by_waiting	# an interrupt is there, so it does not wait: 6 from behind it
	csrci	mstatus, 8
	li	t0, 0x2000000
	li	t1, 1
	sw	t1, (t0)
	csrsi	mie, 8
	times	30
	wfi
	sw	zero, (t0)
	csrci	mie, 8
	times	4
	csrsi	mstatus, 8
	ret
	.size	by_waiting, . - by_waiting
	function for_long	# 1001, and it does not end the second time
	csrci	mstatus, 8
	times	1000
	csrsi	mstatus, 8
	csrci	mstatus, 8
	ret
	.size	for_long, . - for_long
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -g -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf app.S -x c - << 'END'
void unused(void) { }
END
soc-model --trace run.tr app.elf
masked='masked: app:*:masked { began = entered; from = symbol(entered_pc); to = symbol(pc) }'
tr-replay --probe "$masked" run.tr app.elf | sed 's/^\([0-9]*\) .*began=\([0-9]*\) /\1 \2 /' | awk '{ print $1 - $2, $3, $4 }'
tr-replay --stream --probe "$masked" run.tr app.elf | tr-match --bins app.elf | tr-unwind -o stacks.tr
for format in text csv json; do tr-timeline --table masked --format $format stacks.tr; done
# What is not in the language, and a filter.
for probe in 'x: app:*:masked / entered_pc == 0 / { a = 1 }' 'x: app:* { a = 1 }' 'x: app:by_bits:masked { a = 1 }' \
	'x: app:*:masked { a = arg0 }' 'x: app:*:return { a = 1 }' 'x: app:by_bits { a = entered_pc }'; do
	tr-replay --probe "$probe" run.tr app.elf
	echo "exit $?"
done
# The longest time does not end.
cat > end.S << 'END'
	.section .text.start, "ax"
	.globl	_start
	.type	_start, @function
_start:	csrsi	mstatus, 8
	csrci	mstatus, 8
	.rept	20
	nop
	.endr
	csrsi	mstatus, 8
	csrci	mstatus, 8
	.rept	40
	nop
	.endr
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
	.size	_start, . - _start
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -g -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf end.S -x c - << 'END'
void unused(void) { }
END
soc-model --trace run.tr app.elf
tr-replay --probe "$masked" run.tr app.elf
