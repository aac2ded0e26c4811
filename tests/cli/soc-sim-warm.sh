# SPDX-License-Identifier: Apache-2.0
# Warm caches after a resume: a part of a run takes the cycles that it takes in the whole run, but
# for the TLBs and the predictor, which are empty, also if the model has written the checkpoint; from
# a checkpoint without uses of memory it does not.
riscv64-unknown-elf-gcc -O1 -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib \
	-Wl,--no-warn-rwx-segments -I"$SRC/include" -T "$SRC/sim/target/firmware/firmware.ld" -o warm.elf \
	"$SRC/tests/cli/data/warm.c"
cycles() { tr-info "$1" | awk '/^  cycles  /{ print $2; exit }'; }
# What a resume costs in any case: the out-of-order core first clears its predictors.
start=0
resume() {
	soc-sim --resume "$1.ck" --trace "$1.tr" --stop "end=$2" > /dev/null
	echo $(($(cycles "$1.tr") - start))
}
soc-model --isa rv64gc --checkpoint empty.ck --checkpoint-warm --checkpoint-at begin=8 warm.elf
start=$(resume empty 8)
# part NUMBER NAME MOST: the L1s of the hardware do not replace in the order of use, which may change
# MOST per cent of the cycles.
part() {
	soc-sim --isa rv64gc --trace whole.tr --start "begin=$1" --stop "end=$1" --checkpoint saved.ck \
		--checkpoint-at "begin=$1" --checkpoint-continue --checkpoint-warm warm.elf > /dev/null
	soc-model --isa rv64gc --checkpoint cold.ck --checkpoint-at "begin=$1" warm.elf > /dev/null
	soc-model --isa rv64gc --checkpoint model.ck --checkpoint-warm --checkpoint-at "begin=$1" warm.elf > /dev/null
	awk -v name="$2" -v most="$3" -v whole="$(cycles whole.tr)" -v cold="$(resume cold "$1")" \
		-v model="$(resume model "$1")" -v saved="$(resume saved "$1")" '
	function near(cycles, part) { return cycles < whole * (1 + part / 100) + 200 && cycles > whole * (1 - part / 100) - 200 }
	BEGIN {
		printf "%s: from the model %s, from the hardware %s, cold %s\n", name, near(model, most) ? "near" : model " of " whole,
			near(saved, most) ? "near" : saved " of " whole, near(cold, most) ? "near" : "far"
	}'
}
part 1 'in the L1D' 1
part 2 'in the L2' 2
part 3 'beyond the L2' 1
part 4 'lines to write back' 5
# Lines that are written back: those that are modified in the L1D at the resume are among them.
beats() { # OPTION...
	soc-sim "$@" --counters l1d_writeback --counters-csv beats.csv --stop end=4 > /dev/null
	awk -F, '/^[0-9]/ { if (!n++) first = $NF; last = $NF } END { print last - (n > 1 ? first : 0) }' beats.csv
}
whole=$(beats --isa rv64gc --trace beats.tr --start begin=4 warm.elf)
for kind in model saved cold; do
	awk -v kind=$kind -v whole="$whole" -v beats="$(beats --trace beats.tr --resume $kind.ck)" '
		BEGIN { print kind ": written back", (beats > whole * 0.9 && beats < whole * 1.1) ? "near" : "far" }'
done
part 5 'code in the L1I' 1
part 6 'code in the L2' 25
part 7 'at random' 1

# The same with a model between that has not seen the beginning; with lockstep; without skipping.
soc-model --isa rv64gc --checkpoint early.ck --checkpoint-warm --checkpoint-at begin=6 warm.elf
soc-model --resume early.ck --checkpoint late.ck --checkpoint-warm --checkpoint-at begin=7
cycles=$(resume model 7)
awk -v a="$cycles" -v b="$(resume late 7)" 'BEGIN { print "by way of another checkpoint:", (a - b < a / 100 && b - a < a / 100) ? "near" : b " of " a }'
soc-sim --lockstep --resume model.ck --trace lockstep.tr --stop end=7
soc-sim --no-skip --resume model.ck --trace evaluated.tr --stop end=7
for file in lockstep evaluated; do tr-diff model.tr $file.tr > diff || cat diff; done
tr-info model.tr | grep resumed.warm
tr-info cold.tr | grep resumed.warm

soc-model --harts 2 --checkpoint a.ck --checkpoint-warm warm.elf
echo "status $?"
soc-model --checkpoint-warm warm.elf
echo "status $?"
soc-model --harts 2 --isa rv64gc --max-instructions 10 --checkpoint two.ck warm.elf
soc-sim --resume two.ck --checkpoint a.ck --checkpoint-warm
echo "status $?"
