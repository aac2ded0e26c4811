# SPDX-License-Identifier: Apache-2.0
# A function that loops back to its first instruction is entered once, also if it is
# interrupted there, and in a trace of several frames; calls and jumps from elsewhere enter it.
cat > loops.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	la	t0, tick
	csrw	mtvec, t0
	li	t0, 0x80
	csrw	mie, t0
	li	s2, 0x200bff8			# mtime
	li	s3, 0x2004000			# mtimecmp
	sd	zero, (s3)
	csrsi	mstatus, 8
	li	a0, 5
	call	count
	li	a0, 2000000
	call	count
	li	a0, 3
	call	deep
	li	a0, 4
	call	jumps
	li	a0, 6
	call	branches
	li	a0, 2
	call	unsized
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b

	.macro	function name
	.balign	4
	.type	\name, @function
	.globl	\name
\name:
	.endm
	function count
	addi	a0, a0, -1
	nop
	bnez	a0, count
	ret
	.size	count, . - count
	function deep
	addi	sp, sp, -16
	sd	ra, (sp)
	addi	a0, a0, -1
	beqz	a0, 2f
	call	deep
2:	ld	ra, (sp)
	addi	sp, sp, 16
	ret
	.size	deep, . - deep
	function jumps
	j	count
	.size	jumps, . - jumps
	function branches
	bnez	a0, count
	ret
	.size	branches, . - branches
	function tick
	csrw	mscratch, t0
	ld	t0, (s2)
	addi	t0, t0, 1
	sd	t0, (s3)
	csrr	t0, mscratch
	mret
	.size	tick, . - tick
	.globl	unsized
unsized: addi	a0, a0, -1
	beqz	a0, within
	la	t1, unsized
	jr	t1
within:	ret
END
riscv64-unknown-elf-gcc -march=rv64ima_zicsr -mabi=lp64 -mcmodel=medany -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o loops.elf loops.S
soc-model --trace run.tr loops.elf
tr-info run.tr | awk '/^ *frames/ { print ($2 > 3 ? "several" : $2) " frames"; exit }'
at=$(riscv64-unknown-elf-nm loops.elf | sed -n 's/^0*\([0-9a-f]*\) . count$/\1/p')
tr-text run.tr | grep -c "^trap interrupt=7 .* epc=0x$at " | awk '{ print ($1 > 100 ? "many" : $1) " interrupts at the first instruction" }'
tr-replay --probe 'count: loops:count { n = reg("a0") } deep: loops:deep { n = reg("a0") } unsized: loops:unsized { n = reg("a0") }' \
	--probe 'returns: loops:count:return { since = entered }' run.tr loops.elf > hits
sed 's/ since=.*//' hits | cut -d' ' -f 4-
# Each return belongs to the last entry.
awk '$4 == "count" { last = $1 } $4 == "returns" && $5 != "since=" last { print "entered in", last, "not", $5 }' hits
tr-match -b loops.elf run.tr | tr-unwind | tr-report functions --format csv | awk -F, '$12 ~ /^(count|deep)$/ { print $12, $1, "calls" }' | sort
tr-replay --probe 'each: loops:count+0 { }' run.tr loops.elf | wc -l
