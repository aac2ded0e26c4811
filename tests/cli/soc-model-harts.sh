# SPDX-License-Identifier: Apache-2.0
# Several harts on the model: atomics, reservations, interrupts between harts, timers and
# PLIC contexts, code written by another hart, and their trace. The exit status is the
# number of the failing case.
. "$SRC/tests/cli/soc-model.inc"

cat > harts.S << 'END'
	.option norelax
	.option norvc
	.equ clint, 0x2000000
	.equ plic, 0xc000000
	.equ uart, 0x10000000

	# s0: the hart, s1: the number of harts, s2: barriers passed, times s1
	.macro barrier
	la t0, arrived
	li t1, 1
	amoadd.w zero, t1, (t0)
	add s2, s2, s1
1:	lw t1, (t0)
	blt t1, s2, 1b
	.endm
	# Longer than the turn of a hart.
	.macro delay
	li t1, 500
1:	addi t1, t1, -1
	bnez t1, 1b
	.endm
	.macro expect case, reg, value
	li a0, \case
	li t1, \value
	bne \reg, t1, fail
	.endm
	.macro only hart, label
	li t1, \hart
	bne s0, t1, \label
	.endm

	.globl _start, send
_start:	csrr s0, mhartid
	li a1, 1 # the harts count themselves
	li a2, 99
	bne a0, s0, fail
	la t0, present
	amoadd.w zero, a1, (t0)
	delay
	delay
	lw s1, (t0)
	li s2, 0
	barrier

	# 1 to 3: counts by AMO, by LR and SC, and under a lock
	la a2, counts
	li a3, 1000
count:	amoadd.d zero, a1, (a2)
	addi a4, a2, 64
2:	lr.d t2, (a4)
	addi t2, t2, 1
	sc.d t3, t2, (a4)
	bnez t3, 2b
	addi a4, a2, 128
2:	amoswap.w.aq t2, a1, (a4)
	bnez t2, 2b
	ld t2, 8(a4)
	addi t2, t2, 1
	sd t2, 8(a4)
	amoswap.w.rl zero, zero, (a4)
	addi a3, a3, -1
	bnez a3, count
	barrier
	li t2, 1000
	mul t2, t2, s1
	.irp case, 1, 2, 3
	li a0, \case
	ld t3, ((\case - 1) * 64 + (\case / 3) * 8)(a2)
	bne t2, t3, fail
	.endr
	barrier

	# 4: a store of the same value by another hart ends a reservation; 5: one to the next
	# line does not
	la a4, line
	only 1, 2f
	lr.d t2, (a4)
	delay
	delay
	sc.d t3, t2, (a4)
	expect 4, t3, 1
	lr.d t2, (a4)
	delay
	delay
	sc.d t3, t2, (a4)
	expect 5, t3, 0
2:	only 0, 3f
	sd zero, (a4) # its page is known to the fast path
	delay
	sd zero, 64(a4)
	sd zero, 56(a4)
	delay
	delay
	sd zero, 64(a4)
3:	barrier

	# 6: a failed SC of one hart leaves the reservation of another; its AMO ends it
	only 1, 2f
	lr.d t2, (a4)
	delay
	delay
	sc.d t3, t2, (a4)
	expect 6, t3, 0
	lr.d t2, (a4)
	delay
	delay
	sc.d t3, t2, (a4)
	expect 7, t3, 1
2:	only 0, 3f
	delay
	sc.d t3, t2, (a4)
	delay
	delay
	amoor.d zero, zero, (a4)
3:	barrier

	# 8: hart 1 sleeps until hart 0 interrupts it, and interrupts hart 0 back
	li a5, clint
	csrwi mie, 8
	only 1, 2f
	wfi
	csrr t4, mcycle
	lw t2, 4(a5)
	expect 8, t2, 1
	ld t3, (a4) # it wakes in the cycle after the store
	sub t4, t4, t3
	expect 18, t4, 3
	sw zero, 4(a5)
	sw a1, (a5)
2:	only 0, 3f
	delay
	csrr t2, mcycle
	sd t2, (a4)
send:	sw a1, 4(a5)
	wfi
	lw t2, (a5)
	expect 9, t2, 1
	sw zero, (a5)
3:	barrier

	# 10: hart 0 sets the timer of hart 1, and sees that its own is not due
	li t2, 1 << 7
	csrw mie, t2
	li t3, 0x4000
	add a6, a5, t3
	li t3, 0xbff8
	add a7, a5, t3
	only 1, 2f
	wfi
	ld t2, (a7)
	ld t3, 8(a6)
	sub t4, t2, t3
	expect 10, t4, 0
	li t3, -1
	sd t3, 8(a6)
2:	only 0, 3f
	delay
	ld t2, (a7)
	addi t2, t2, 3
	sd t2, 8(a6)
	csrr t2, mip
	expect 11, t2, 0
3:	barrier

	# 12: the UART's interrupt is enabled for M-mode of hart 1 alone
	li t2, 1 << 11
	csrw mie, t2
	li a6, plic
	only 0, 2f
	li t2, 1
	sw t2, 40(a6)
	li t3, 0x2100 # enables of context 2
	add t3, t3, a6
	li t2, 1 << 10
	sw t2, (t3)
	li t3, uart
	li t2, 2
	sb t2, 1(t3)
	csrr t2, mip
	expect 12, t2, 0
2:	only 1, 3f
	wfi
	csrr t2, mip
	srli t2, t2, 11
	expect 13, t2, 1
	li t3, 0x202004
	add t3, t3, a6
	lw t2, (t3)
	expect 14, t2, 10
	li t4, uart
	sb zero, 1(t4)
	sw t2, (t3)
	csrr t2, mip
	expect 15, t2, 0
3:	barrier

	# 16: hart 0 changes code that hart 1 has run
	csrw mie, zero
	la a4, patched
	only 1, 2f
	jalr a4
	expect 16, t2, 1
2:	barrier
	only 0, 2f
	li t3, 0x00200393 # li t2, 2
	sw t3, (a4)
2:	barrier
	only 1, 3f
	.word 0x100f # fence.i
	jalr a4
	expect 17, t2, 2
3:	barrier
	bnez s0, wait
	li a0, 0

	# powers off with the status in a0
fail:	slli a0, a0, 16
	li a1, 0x3333
	or a1, a1, a0
	bnez a0, 1f
	li a1, 0x5555
1:	li a0, 0x100000
	sw a1, (a0)
wait:	csrwi mie, 0
	wfi
	j wait

	.balign 4096
patched: li t2, 1
	ret

	.balign 4096
arrived: .word 0
present: .word 0
	.balign 64
counts:	.skip 192
line:	.skip 128
END
program harts.elf < harts.S

for n in 2 3 4; do
	soc-model --harts $n harts.elf || echo "$n harts: case $? fails"
done

# The trace has the rows of all harts, which end in the same cycle, and is the same again.
soc-model --no-provenance --harts 3 --trace a.tr harts.elf
soc-model --no-provenance --harts 3 --trace b.tr harts.elf
cmp a.tr b.tr
tr-info a.tr | awk '$1 == "harts" { print $1, $2 } $2 == "M" { print "hart", $1, "from", $6, "to", $7 }'
totals() { tr-info "$1" | awk '/^totals/ { on = 1 } on && $1 ~ /^(instructions|cycles)$/; /^events/ { exit }'; }
# A limit applies to the cycles of each hart, and to the instructions of all together.
soc-model --no-provenance --harts 2 --trace b.tr --max-cycles 5000 harts.elf
totals b.tr
soc-model --no-provenance --harts 2 --trace b.tr --max-instructions 5000 harts.elf
totals b.tr
# Windows open and close for all harts.
soc-model --no-provenance --harts 2 --trace b.tr --start cycle=3001 --stop cycle=4000 harts.elf
tr-text b.tr | grep -E '^(hart|trigger)'
totals b.tr
# One that opens while hart 1 is in WFI has only the rest of its cycles, give or take a turn.
soc-model --no-provenance --harts 2 --trace b.tr --start pc=send --stop pc=send harts.elf
soc-model --no-provenance --harts 2 --trace c.tr --start pc=send harts.elf
for file in b.tr c.tr; do
	tr-text $file | awk -F '[= ]' '$1 == "hart" { at[$2] = $4 } END { print (at[0] - at[1] < 130 && at[0] >= at[1]) }'
done
tr-text c.tr | grep -A 3 '^hart 1' | grep -c 'stall 0:[0-9]*$'

fails() { if "$@"; then echo "not refused: $*"; fi; }
fails soc-model --harts 0 harts.elf
fails soc-model --harts 5 harts.elf
fails soc-model --harts two harts.elf
soc-model --checkpoint a.ck --checkpoint-at cycle=100 harts.elf
fails soc-model --harts 2 --resume a.ck
