# SPDX-License-Identifier: Apache-2.0
# Checkpoints of two harts: each part of the state of both survives, and programs of two
# harts go on to their ends, in lockstep, with a window of the trace that a replay follows.
. "$SRC/tests/cli/soc-model.inc"
for hart in 0 1; do
	program state.elf -Wa,--defsym,FLOAT=1 -Wa,--defsym,HART=$hart < "$SRC/tests/cli/data/state.S"
	for mark in mark1 mark2 mark3 mark4 mark5 mark6; do
		soc-model --isa rv64gc --harts 2 --checkpoint $mark.ck --checkpoint-at pc=$mark state.elf
		printf 'hart %d, %s, written: %d,' $hart $mark $?
		for tool in soc-model soc-sim "soc-sim --lockstep"; do
			timeout 20 $tool --resume $mark.ck
			printf ' %s: %d' "$tool" $?
		done
		echo
	done
done

# At any cycle of programs of two harts, also with one of them in WFI.
for name in ipi ipi-both lock lrsc code; do
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -nostdlib -static \
		-I"$SRC/sim" -I"$SRC/tests/smp" -DROUNDS=400 -T "$SRC/tests/isa/link.ld" -Wl,--no-warn-rwx-segments \
		-o $name.elf "$SRC/tests/smp/start.S" "$SRC/tests/smp/$name.S"
	for at in 100 777 1500 2500; do
		soc-model --harts 2 --checkpoint a.ck --checkpoint-at cycle=$at $name.elf || echo "$name at $at: status $?"
		for tool in soc-model soc-sim "soc-sim --lockstep" "soc-sim --lockstep --no-skip"; do
			timeout 60 $tool --resume a.ck || echo "$name at $at, $tool: status $?"
		done
	done
done
# The keys of the second hart, without those of what the harts share.
tail -c +25 a.ck | grep -a '^harts=\|^hart1\.' | sed 's/=.*//' | paste -sd' ' | fold -sw 100

# A window after a checkpoint has the same tokens in lockstep, and is the same without skips; a
# replay follows it, and the whole run from the checkpoint.
soc-model --harts 2 --checkpoint a.ck --checkpoint-at cycle=777 lock.elf
window="--start cycle=12k --stop cycle=14k --resume a.ck"
soc-sim --no-provenance --trace a.tr $window
soc-sim --no-provenance --trace b.tr $window --no-skip
cmp a.tr b.tr
soc-sim --no-provenance --trace b.tr $window --lockstep
tokens() { tr-text --tokens "$1" | grep ^token | sort; }
cmp <(tokens a.tr) <(tokens b.tr)
tokens a.tr | sed 's/.* hart=\(.\).*/hart \1/' | sort | uniq -c
tr-text a.tr | grep -E '^header (harts|resumed\.(cycle|instruction))='
tr-replay --resume a.ck -o replay.txt a.tr
tail -n 1 replay.txt
soc-sim --no-provenance --trace c.tr --resume a.ck
tr-replay --resume a.ck c.tr | tail -n 1
# Counters of both harts, of the same window.
counters="--counters hart?.instructions_retired --counters-every 1k --counters-csv"
soc-sim $window $counters a.csv
soc-sim $window $counters b.csv --lockstep --no-skip
cmp a.csv b.csv
tail -n 1 a.csv

# Trouble
soc-model --harts 3 --checkpoint three.ck --max-cycles 100 lock.elf
for command in "soc-sim --resume three.ck" "soc-sim --harts 1 --resume a.ck" "soc-model --harts 2 --resume three.ck"; do
	$command
	echo "status $?"
done
