# SPDX-License-Identifier: Apache-2.0
# The disk of the hardware: what requests and their sectors take; the same bytes each time, also
# without skips, and the file is not changed; replays of whole runs and of windows; checkpoints go
# on here and on the model, and those of the model here; several harts have none.
isa=$SRC/build/isa
seq -f %07.0f 0 8191 > disk.img
sum=$(cksum < disk.img)

# cycles OPTION...: of a program with 6 requests for 21 sectors.
cycles() {
	soc-sim --trace run.tr --disk disk.img "$@" "$isa/disk-interrupt.elf" || echo "status $?"
	tr-text run.tr | sed -n 's/^end cycles=//p'
}
base=$(cycles)
echo "requests: $((($(cycles --disk-access 132000) - base + 50000) / 100000))"
echo "sectors: $((($(cycles --disk-sector 100683) - base + 50000) / 100000))"

for program in disk-requests disk-interrupt; do
	soc-sim --no-provenance --trace a.tr --disk disk.img "$isa/$program.elf"
	soc-sim --no-provenance --trace b.tr --disk disk.img --no-skip "$isa/$program.elf"
	cmp a.tr b.tr
	tr-replay a.tr "$isa/$program.elf" > replay || cat replay
	# Before the first request, in the middle of some, and near their ends.
	for at in 300 4000 20000 34000 36000 110000; do
		soc-sim --disk disk.img --trace window.tr --start cycle=$at "$isa/$program.elf"
		tr-replay window.tr "$isa/$program.elf" > replay || cat replay
		soc-sim --disk disk.img --checkpoint a.ck --checkpoint-at cycle=$at "$isa/$program.elf"
		soc-sim --lockstep --disk disk.img --resume a.ck --trace part.tr || echo "cycle $at, here: $?"
		tr-replay --resume a.ck part.tr > replay || cat replay
		soc-model --disk disk.img --resume a.ck || echo "cycle $at, on the model: $?"
		soc-model --disk disk.img --checkpoint b.ck --checkpoint-at cycle=$at "$isa/$program.elf"
		soc-sim --lockstep --disk disk.img --resume b.ck || echo "cycle $at, from the model: $?"
	done
done
[ "$(cksum < disk.img)" = "$sum" ] || echo 'the file has changed'

refused() { # OPTION...
	soc-sim "$@"
	echo "$*: status $?" | sed "s|$isa/||"
}
refused --resume a.ck
refused --harts 2 --disk disk.img "$isa/ebreak.elf"
soc-model --harts 2 --disk disk.img --checkpoint two.ck --checkpoint-at cycle=10 "$isa/ebreak.elf"
refused --resume two.ck --disk disk.img
refused --disk missing.img "$isa/ebreak.elf"
refused "$isa/disk-requests.elf"
