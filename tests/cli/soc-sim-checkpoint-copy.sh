# SPDX-License-Identifier: Apache-2.0
# A checkpoint records the copy unit: whoever continues from it has the unit too, or has
# none, and refuses to add one.
. "$SRC/tests/cli/soc-model.inc"
program copy.elf << END
.globl _start, again
_start:	li s0, 20
again:	la a0, to
	la a1, from
	li a2, 5
	.insn r 0x0b, 0, 0, a2, a0, a1
	addi s0, s0, -1
	bnez s0, again
	$off
from:	.ascii "abcde"
to:	.zero 8
END
soc-model --copy-unit --checkpoint a.ck --checkpoint-at cycle=50 copy.elf
tail -c +25 a.ck | grep -ac '^copy_unit=1$'
for tool in soc-model soc-sim 'soc-sim --lockstep' 'soc-sim --lockstep --copy-unit'; do
	$tool --resume a.ck --trace a.tr && tr-info a.tr | awk -v tool="$tool" '$1 == "end" && $2 { print tool ": " $2 }'
done
soc-model --resume a.ck --checkpoint b.ck --checkpoint-at cycle=80
soc-sim --resume b.ck && echo 'again: done'

program plain.elf << END
.globl _start
_start:	li s0, 20
1:	addi s0, s0, -1
	bnez s0, 1b
	$off
END
soc-model --checkpoint c.ck --checkpoint-at cycle=10 plain.elf
tail -c +25 c.ck | grep -ac '^copy_unit'
for tool in soc-model soc-sim; do
	$tool --resume c.ck && echo "$tool: without"
	$tool --copy-unit --resume c.ck
	echo "$tool: with: status $?"
done
