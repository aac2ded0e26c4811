#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program on two machines, which pass it on to each other by checkpoints:
# checkpoint.sh CYCLES PROGRAM.elf, with their commands in CHECKPOINT_FIRST and CHECKPOINT_SECOND.
# CHECKPOINT_OPTIONS are further options of those that write one.
# Each runs about CYCLES cycles, or less by a number that depends on the program's name, so that
# programs are saved at different places; after eight checkpoints the next machine runs to the end.
# The exit status is that of the machine that powers off.
set -u -o pipefail
machine=$CHECKPOINT_FIRST
other=$CHECKPOINT_SECOND
cycles=$1
elf=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

number=$(basename "$elf" | cksum)
number=${number%% *}
at=0
from=("$elf")
for ((i = 0; i < 8; i++)); do
	at=$((at + cycles - (number / (i + 1)) % (cycles / 2)))
	rm -f "$work/next"
	# shellcheck disable=SC2086 # the command is words
	$machine ${CHECKPOINT_OPTIONS-} --checkpoint "$work/next" --checkpoint-at "cycle=$at" "${from[@]}" > "$work/out" 2> "$work/err"
	# The end may come first; then this machine runs there again.
	grep -q 'the trigger of the checkpoint was never met$' "$work/err" && break
	cat "$work/out"
	if [ ! -e "$work/next" ]; then
		cat "$work/err" >&2
		exit 2
	fi
	mv "$work/next" "$work/last"
	from=(--resume "$work/last")
	last=$machine
	machine=$other
	other=$last
done
# shellcheck disable=SC2086
$machine "${from[@]}"
