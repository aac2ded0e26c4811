# SPDX-License-Identifier: Apache-2.0
# tr-sample: all of a run on the model, and windows of the hardware. A window whose warm-up reaches
# back to the reset has the cycles of the same instructions in a whole run on the hardware.
riscv64-unknown-elf-gcc -O1 -march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib \
	-Wl,--no-warn-rwx-segments -T "$SRC/sim/target/firmware/firmware.ld" -o sample.elf "$SRC/tests/cli/data/sample.c"
soc-sim --trace whole.tr sample.elf
soc-model --trace model.tr sample.elf
total() { tr-info "$1" | awk -v what="$2" '$1 == what { print $2; exit }'; }
# hart FILE NUMBER: instructions and cycles of a hart.
hart() { tr-info "$1" | awk -v hart="$2" '/^end/ { on = 0 } on && $1 == hart { n += $4; c += $5 } /^contexts/ { on = 1 } END { print n, c }'; }
# until N: the cycles of the first N instructions of the whole run.
until_() { tr-capture --max-instructions "$1" whole.tr 2> /dev/null | tr-info | awk '$1 == "cycles" { print $2; exit }'; }

echo '== the model has all instructions, the hardware a window'
for seed in 1 2 3 4 5; do
	tr-sample --windows 1 --length 700 --warm 4M --seed $seed -o one.tr -- soc-sim sample.elf
	place=$(tr-info one.tr | awk '$1 == "untraced" { print $3; exit }')
	[ "$place" -lt "$(total model.tr instructions)" ] || { echo "seed $seed: behind the run"; continue; }
	[ "$(hart one.tr 0)" = "$(hart model.tr 0)" ] || echo "the model differs: $(hart one.tr 0)"
	read -r instructions cycles < <(hart one.tr 1)
	whole=$(($(until_ $((place + instructions))) - $(until_ "$place")))
	echo "seed $seed: $instructions instructions from $place on: $cycles cycles, $whole in the whole run"
done
echo '== caches from the uses of memory, 20,000 instructions before each window'
tr-sample --interval 3k --length 500 -o run.tr -- soc-sim sample.elf
read -r instructions cycles < <(hart run.tr 1)
awk -v n="$instructions" -v c="$cycles" -v whole="$(total whole.tr cycles)" -v all="$(total whole.tr instructions)" 'BEGIN {
	error = c / n / (whole / all) - 1
	print n, "instructions,", (error < 0.05 && error > -0.05) ? "near the whole run" : error " from the whole run"
}'
echo '== with any number of processes the same bytes; another seed, other places'
for jobs in 1 2 7; do
	tr-sample --no-provenance -j $jobs --interval 20k --length 100 -o $jobs.tr -- soc-sim sample.elf
	cmp 1.tr $jobs.tr && echo "$jobs"
done
tr-sample --no-provenance --seed 2 --interval 20k --length 100 -- soc-sim sample.elf | cmp -s - 1.tr || echo other
tr-sample --no-provenance --interval 20k --length 100 -o model.tr -- soc-model sample.elf
cmp 1.tr model.tr && echo 'soc-model stands for soc-sim'
echo '== a short run has fewer windows than it could'
tr-sample -o short.tr -- soc-sim sample.elf
tr-info short.tr | grep sample_interval
tr-info run.tr | grep -E '^  (harts|precision|sample)'
echo '== refused' >&2
for text in windows=0 length=x interval places=3 jobs=1; do
	soc-sim --sample "$text" sample.elf
done
tr-sample --interval 10k --warm 100k -o no.tr -- soc-sim sample.elf
tr-sample -o no.tr -- soc-sim --harts 2 sample.elf
tr-sample -o no.tr -- soc-sim --nic loopback sample.elf
tr-sample -o no.tr -- soc-sim --lockstep sample.elf
tr-sample -o no.tr -- spike sample.elf
tr-sample -o no.tr sample.elf
tr-sample --interval 10k --windows 10 -- soc-sim sample.elf
tr-sample
