# SPDX-License-Identifier: Apache-2.0
# The firmware emulates misaligned accesses of a kernel at addresses that are negative as
# signed numbers: every size and form, also across a page, compared with accesses of
# single bytes. The exit status is the number of the failing case; 99 is a trap that
# reached the kernel, and 0 is success.
. "$SRC/tests/cli/soc-model.inc"

cat > kernel.S << "END"
	# Stores the size low bytes of a1 at a0, and compares them with a1.
	.option norvc
	.macro check status, insn, size
	sd zero, -5(a0)
	sd zero, 3(a0)
	\insn
	li s0, \status
	mv t0, a0
	mv t1, a1
	li t2, \size
1:	lbu t3, (t0)
	andi t4, t1, 0xff
	bne t3, t4, fail
	addi t0, t0, 1
	srli t1, t1, 8
	addi t2, t2, -1
	bnez t2, 1b
	lbu t3, (t0)
	bnez t3, fail
	.endm

	.globl _start
_start:	la t0, trapped
	csrw stvec, t0
	la t0, table
	li t1, 0x80000 << 10 | 0xcf
	sd t1, 8 * 2(t0) # 0x80000000 is mapped to itself,
	li t2, 8 * 510
	add t2, t2, t0
	sd t1, (t2) # and 0xffffffff80000000 to the same
	srli t0, t0, 12
	li t1, 8 << 60
	or t0, t0, t1
	csrw satp, t0
	sfence.vma
	li a1, 0x8182838485868788
	la a0, page
	li t0, -1 << 32
	or a0, a0, t0
	addi a0, a0, -3
	check 1, "sd a1, 0(a0)", 8
	check 2, "sw a1, 0(a0)", 4
	check 3, "sh a1, 0(a0)", 2
	.option rvc
	check 4, "c.sd a1, 0(a0)", 8
	check 5, "c.sw a1, 0(a0)", 4
	mv t5, sp
	mv sp, a0
	check 6, "c.sdsp a1, 0(sp)", 8
	check 7, "c.swsp a1, 0(sp)", 4
	mv sp, t5
	.option norvc
	li s0, 8
	sd a1, 0(a0)
	ld t0, 0(a0)
	bne t0, a1, fail
	li s0, 0
	j finish
	.balign 4
trapped: li s0, 99
fail:	slli s0, s0, 16
	li t1, 0x3333
	or s0, s0, t1
	j power
finish:	li s0, 0x5555
power:	csrw satp, zero
	sfence.vma
	li t0, 0x100000
	sw s0, (t0)
	j .

	.data
	.balign 4096
table:	.zero 4096
	.zero 4096
page:	.zero 4096
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -nostdlib -static kernel.S -o kernel.elf \
	-Wl,-n,-Ttext=0x80200000,--no-warn-rwx-segments,--build-id=none
soc-model --max-cycles 1M "$SRC/build/target/firmware.elf" kernel.elf
