# SPDX-License-Identifier: Apache-2.0
# Code that the L1I has since a resume, and that is overwritten without fence.i: the hardware executes
# what it was, and both the lockstep and the replay follow it.
riscv64-unknown-elf-gcc -O1 -march=rv64imac_zifencei -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib \
	-Wl,--no-warn-rwx-segments -I"$SRC/include" -T "$SRC/sim/target/firmware/firmware.ld" -o code.elf \
	"$SRC/tests/cli/data/warm-code.c"
soc-model --checkpoint warm.ck --checkpoint-warm --checkpoint-at begin=1 code.elf
soc-model --checkpoint cold.ck --checkpoint-at begin=1 code.elf
# How many follow the end of the window depends on the core.
tell() { sed -n 's/^[0-9]* instructions, 0/N instructions, 0/; /difference\|no longer/p' replay.txt; }
for kind in warm cold; do
	echo "# $kind"
	soc-sim --lockstep --resume $kind.ck --trace $kind.tr --stop end=1
	tr-replay --resume $kind.ck $kind.tr > replay.txt
	tell
	tr-replay --resume $kind.ck --index $kind.index $kind.tr > replay.txt
	tell
done
