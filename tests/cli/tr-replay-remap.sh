# SPDX-License-Identifier: Apache-2.0
# A page-table entry that is written without sfence.vma takes effect at once in the model: for
# data, also if another entry was used in between, and for the code that writes it. A replay of
# the model's trace follows.
cat > remap.S << 'END'
#include "test.h"

	/* Maps page `number` of TEST_VA, without a fence. */
	.macro	MAP number, page
	la	t0, \page
	srli	t0, t0, 2
	ori	t0, t0, RWX
	la	t1, vm_l0 + 8 * \number
	sd	t0, 0(t1)
	.endm

	.globl	test
	.option	norvc
test:	mv	s11, ra
	la	a1, first
	li	a2, 111
	sd	a2, 0(a1)
	la	a1, second
	li	a2, 222
	sd	a2, 0(a1)
	VM_ON
	CASE	1
	MAP	0, first
	MAP	1, first
	sfence.vma
	li	a0, TEST_VA
	li	a3, TEST_VA + 4096
	TRYV	S, ld a1, 0(a0)
	EQ	a1, 111
	TRYV	S, ld a1, 0(a3)
	EQ	a1, 111
	MAP	0, second
	TRYV	S, ld a1, 0(a0)
	EQ	a1, 222
	CASE	2
	MAP	2, before
	sfence.vma
	la	a5, after
	srli	a5, a5, 2
	ori	a5, a5, RWX
	la	a6, vm_l0 + 16
	li	a2, TEST_VA + 2 * 4096
	TRY_JUMP S, a2
	EQ	a1, 2
	jr	s11
	.balign	4096
before:	sd	a5, 0(a6)
	li	a1, 1
	ecall
	.balign	4096
after:	nop
	li	a1, 2
	ecall
	.bss
	.balign	4096
first:	.skip	4096
second:	.skip	4096
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -I"$SRC/sim" -I"$SRC/tests/isa" \
	-nostdlib -static -T "$SRC/tests/isa/link.ld" -Wl,--no-warn-rwx-segments -o remap.elf "$SRC/tests/isa/lib.S" remap.S
soc-model --trace remap.tr remap.elf
echo "case $?"
tr-replay remap.tr remap.elf | head -1
