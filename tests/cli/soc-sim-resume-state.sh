# SPDX-License-Identifier: Apache-2.0
# Each part of the machine's state survives a checkpoint: the program checks it after the
# marks at which checkpoints are taken. The status is that of the first check that fails.
. "$SRC/tests/cli/soc-model.inc"
program imac.elf < "$SRC/tests/cli/data/state.S"
program gc.elf -Wa,--defsym,FLOAT=1 < "$SRC/tests/cli/data/state.S"

for isa in imac gc; do
	soc-model --isa rv64$isa $isa.elf
	echo "rv64$isa from reset: $?"
	for mark in mark1 mark2 mark3 mark4 mark5 mark6; do
		soc-model --isa rv64$isa --checkpoint $mark.ck --checkpoint-at pc=$mark $isa.elf
		printf '%s, written: %d,' $mark $?
		for tool in soc-model soc-sim "soc-sim --lockstep"; do
			timeout 20 $tool --resume $mark.ck
			printf ' %s: %d' "$tool" $?
		done
		echo
	done
done
