# SPDX-License-Identifier: Apache-2.0
# A window has what the whole trace has there, its first token with all its cycles and
# what they were lost for, however it was opened.
. "$SRC/tests/cli/soc-model.inc"

program a.elf -Wl,-e,0x80000000 << END
	nop
	la t0, data
	ld t1, (t0)
waits:	add t2, t1, t1
	div t3, t1, t2
	mv t4, t3
$off
	j .
	.balign 64
data:	.dword 1, 2
END
tokens() { # FILE: those from the one that waits for the load
	tr-text --tokens "$1" | grep '^token' | awk '$3 == "006303b3" { on = 1 } on'
}
soc-sim --trace whole.tr a.elf
tokens whole.tr > whole
head -n 1 whole | awk '{ print $3, ($4 ~ /\//) ? "has lost cycles" : "has lost none" }'
first=$(awk '{ sub(/.*=/, "", $6); sub(/cycles=/, "", $4); print $6 - int($4) + 1; exit }' whole)
for start in pc=waits insn=006303b3 insn=33/7f "cycle=$first"; do
	soc-sim --start "$start" --trace window.tr a.elf
	tokens window.tr | cmp - whole && echo "${start%%=*}: the same"
done
