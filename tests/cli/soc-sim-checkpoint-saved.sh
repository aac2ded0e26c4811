# SPDX-License-Identifier: Apache-2.0
# Checkpoints that the hardware writes: each part of the state survives, of one hart and of each of
# two; programs go on as they would have; the run goes on as without; and what is refused.
. "$SRC/tests/cli/soc-model.inc"
# marks NAME OPTION...: of the program state.elf.
marks() {
	for mark in mark1 mark2 mark3 mark4 mprv user; do
		soc-sim "${@:2}" --checkpoint $mark.ck --checkpoint-at pc=$mark state.elf
		printf '%s, %s, written: %d,' "$1" $mark $?
		for tool in soc-model soc-sim "soc-sim --lockstep"; do
			timeout 20 $tool --resume $mark.ck
			printf ' %s: %d' "$tool" $?
		done
		echo
	done
}
program state.elf < "$SRC/tests/cli/data/state.S"
marks rv64imac
program state.elf -Wa,--defsym,FLOAT=1 < "$SRC/tests/cli/data/state.S"
marks rv64gc --isa rv64gc
for hart in 0 1; do
	program state.elf -Wa,--defsym,FLOAT=1 -Wa,--defsym,HART=$hart < "$SRC/tests/cli/data/state.S"
	marks "hart $hart" --isa rv64gc --harts 2
done

# Bytes that the UART has received, in a FIFO that no longer begins at its first place.
program receive.elf << END
.globl _start, full
_start:	li s0, 0x10000000
	li t0, 1
	sb t0, 2(s0)
	li s1, 8
1:	lbu t0, 5(s0)
	andi t0, t0, 1
	beqz t0, 1b
	lbu t0, (s0)
	sb t0, (s0)
	addi s1, s1, -1
	bnez s1, 1b
	li s1, 100000
1:	addi s1, s1, -1
	bnez s1, 1b
full:	li s1, 12
1:	lbu t0, (s0)
	sb t0, (s0)
	addi s1, s1, -1
	bnez s1, 1b
	$off
END
printf 'The quick brown fox.' | soc-sim --checkpoint a.ck --checkpoint-at pc=full receive.elf
for tool in soc-model "soc-sim --lockstep"; do
	printf ' ... '
	$tool --resume a.ck
	echo
done

# The same trace and the same end with a checkpoint on the way.
target=$SRC/build/target
demo=("$target/firmware.elf" "$target/demo.elf")
window=(--no-provenance --start cycle=2900k --stop cycle=3100k)
soc-sim "${window[@]}" --trace a.tr "${demo[@]}" > a.txt
soc-sim "${window[@]}" --trace b.tr --checkpoint a.ck --checkpoint-at cycle=3M --checkpoint-continue "${demo[@]}" > b.txt
cmp a.tr b.tr
cmp a.txt b.txt
# Where a run ends, and it goes on from there.
soc-sim --checkpoint b.ck --max-instructions 10k --resume a.ck > /dev/null
soc-sim --lockstep --max-instructions 10k --resume b.ck > /dev/null
echo "from the end of a run: $?"

# Trouble
soc-sim --checkpoint c.ck receive.elf --max-cycles 5 --checkpoint-at cycle=100
echo "status $?"
program off.elf <<< ".globl _start; _start: $off"
soc-sim --checkpoint c.ck off.elf
echo "status $?"
