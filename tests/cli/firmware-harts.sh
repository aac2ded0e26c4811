# SPDX-License-Identifier: Apache-2.0
# The firmware for several harts: starts, stops and restarts harts, interrupts and fences
# them, each with its errors. The exit status is the number of the failing case.
. "$SRC/tests/cli/soc-model.inc"

cat > kernel.S << 'END'
	.option norelax
	.option norvc
	.equ HSM, 0x48534d
	.equ IPI, 0x735049
	.equ RFENCE, 0x52464e43

	.macro sbi extension, function, argument0=0, argument1=0, argument2=0
	li a0, \argument0
	li a1, \argument1
	li a2, \argument2
	li a6, \function
	li a7, \extension
	ecall
	.endm
	.macro expect case, reg, value
	li s3, \case
	li t6, \value
	bne \reg, t6, fail
	.endm
	# Waits until the word has the value, or a higher one.
	.macro wait value
	la t1, word
	li t2, \value
1:	lw t0, (t1)
	blt t0, t2, 1b
	.endm
	.macro tell value
	la t1, word
	li t2, \value
	fence
	sw t2, (t1)
	.endm

	.macro map to
	la t0, table
	la t1, \to
	srli t1, t1, 2
	ori t1, t1, 0xcf
	sd t1, 8(t0)
	.endm

	.globl _start
_start:	la t0, trapped
	csrw stvec, t0
	li s3, 1 # what the machine runs first is hart 0
	bnez a0, fail
	sbi 0x10, 3, HSM
	expect 2, a1, 1

	# states: itself, another that waits, one that is absent, one beyond all
	sbi HSM, 2, 0
	expect 3, a0, 0
	expect 4, a1, 0
	sbi HSM, 2, 1
	expect 5, a0, 0
	expect 6, a1, 1
	sbi HSM, 2, 2
	expect 7, a0, -3
	sbi HSM, 2, 4
	expect 8, a0, -3
	sbi HSM, 0, 0
	expect 9, a0, -6
	sbi HSM, 0, 2
	expect 10, a0, -3
	sbi HSM, 0, -1
	expect 11, a0, -3
	sbi HSM, 3, 1
	expect 12, a0, -2
	sbi HSM, 4
	expect 13, a0, -2
	sbi IPI, 0, 4
	expect 14, a0, -3
	sbi IPI, 0, 1, 4
	expect 15, a0, -3
	sbi RFENCE, 1, 8
	expect 16, a0, -3
	sbi RFENCE, 3, 1
	expect 17, a0, -2
	sbi IPI, 0, 2 # to a hart that is stopped: without effect
	expect 18, a0, 0

	# hart 1 starts with its argument
	la a1, second
	li a0, 1
	li a2, 0x1234
	li a6, 0
	li a7, HSM
	ecall
	expect 19, a0, 0
	wait 1
	sbi HSM, 2, 1
	expect 20, a1, 0
	sbi HSM, 0, 1
	expect 21, a0, -6

	# interrupts: from hart 0, to itself, and to all
	sbi IPI, 0, 1, 1
	expect 22, a0, 0
	wait 2
	csrr t0, sip
	expect 23, t0, 0
	sbi IPI, 0, 1
	csrr t0, sip
	expect 24, t0, 2
	csrw sip, zero
	sbi IPI, 0, 0, -1
	csrr t0, sip
	expect 25, t0, 2
	csrw sip, zero
	wait 3

	# fences: hart 1 reads a page that is then mapped to another, and back
	wait 4
	map other
	sbi RFENCE, 1, 2
	expect 26, a0, 0
	tell 5
	wait 6
	map page
	sbi RFENCE, 2, 1, 1
	expect 27, a0, 0
	tell 7
	wait 8

	# both fence each other at the same time
	li s4, 200
1:	sbi RFENCE, 0, 0, -1
	bnez a0, fail
	sbi RFENCE, 2, 2
	addi s4, s4, -1
	bnez s4, 1b
	wait 9

	# hart 1 stops, and starts elsewhere
1:	sbi HSM, 2, 1
	bnez a0, fail
	beqz a1, 1b
	la a1, third
	li a0, 1
	li a2, 0x5678
	li a6, 0
	li a7, HSM
	ecall
	expect 28, a0, 0
	wait 10
	li s3, 0
fail:	li t0, 0x5555
	beqz s3, 1f
	slli s3, s3, 16
	li t0, 0x3333
	or t0, t0, s3
1:	li t1, 0x100000
	sw t0, (t1)
	j .
	.balign 4
trapped: li s3, 99
	j fail

second:	la t0, trapped
	csrw stvec, t0
	expect 41, a0, 1
	expect 42, a1, 0x1234
	csrr t0, satp
	expect 43, t0, 0
	tell 1
	csrwi sie, 2
	wfi
	csrr t0, sip
	expect 44, t0, 2
	csrw sip, zero
	tell 2
	sbi HSM, 3, 0 # suspended until the interrupt
	expect 45, a0, 0
	csrr t0, sip
	expect 46, t0, 2
	csrw sip, zero
	tell 3

	# 0x80000000 and following gigabytes are mapped to themselves; 0x40001000 to `page`
	la t0, root
	li t1, 0x80000 << 10 | 0xcf
	sd t1, 16(t0)
	la t1, middle
	srli t1, t1, 2
	ori t1, t1, 1
	sd t1, 8(t0)
	la t2, table
	srli t1, t2, 2
	ori t1, t1, 1
	la t3, middle
	sd t1, (t3)
	la t1, page
	srli t1, t1, 2
	ori t1, t1, 0xcf
	sd t1, 8(t2)
	srli t0, t0, 12
	li t1, 8 << 60
	or t0, t0, t1
	csrw satp, t0
	sfence.vma
	li s5, 0x40001000
	ld t0, (s5)
	expect 47, t0, 100
	tell 4
	wait 5
	ld t0, (s5)
	expect 48, t0, 200
	tell 6
	wait 7
	ld t0, (s5)
	expect 53, t0, 100
	tell 8
	li s4, 300
1:	sbi RFENCE, 1, 1
	bnez a0, fail
	addi s4, s4, -1
	bnez s4, 1b
	tell 9
	sbi HSM, 1
	li s3, 49
	j fail

third:	expect 50, a0, 1
	expect 51, a1, 0x5678
	csrr t0, satp
	expect 52, t0, 0
	tell 10
	j .

	.balign 4096
root:	.skip 4096
middle:	.skip 4096
table:	.skip 4096
page:	.dword 100
	.balign 4096
other:	.dword 200
word:	.word 0
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -nostdlib -static -Wl,-n,-Ttext=0x80200000 \
	-Wl,--no-warn-rwx-segments,--build-id=none -o kernel.elf kernel.S
soc-model --harts 2 --max-cycles 10M "$SRC/build/target/firmware-smp.elf" kernel.elf || echo "case $? fails"
soc-model --harts 2 --max-cycles 10M --trace run.tr "$SRC/build/target/firmware-smp.elf" kernel.elf
tr-info run.tr | grep '  end '
