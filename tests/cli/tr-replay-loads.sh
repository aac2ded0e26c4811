# SPDX-License-Identifier: Apache-2.0
# A trace that lacks the value of a load from a device is refused, whichever instruction loads
# it, unless that is to x0.
. "$SRC/tests/cli/soc-model.inc"
program loads.elf << 'END'
	.option arch, +f, +c
	.globl _start
_start:
	li t0, 0x6000
	csrs mstatus, t0
	li s0, 0x2000000
	c.lw a0, 0(s0)
	flw ft0, 0(s0)
	lw a1, 0(s0)
	lw zero, 0(s0)
	c.lw s0, 4(s0)
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
END
soc-model --isa rv64gc --trace loads.tr loads.elf
tr-text loads.tr > loads.txt
grep -c '^mmio-load' loads.txt
for n in 0 1 2 3 4 5; do
	awk -v n=$n '/^mmio-load/ && ++count == n { next } { print }' loads.txt | tr-text --encode -o less.tr
	tr-replay less.tr loads.elf 2>&1 | sed -n '1s/.*hart 0, cycle/cycle/p'
done
