#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random programs in lockstep: run.sh GENERATOR "SIMULATOR COMMAND" FIRST LAST INSTRUCTIONS
# Each seed is a program of its own. What fails stays as FOLDER/SEED.elf, with what
# was said in SEED.said; `GENERATOR --list` and `--skip` make it smaller.
set -u -o pipefail
generator=$1 simulator=$2 first=$3 last=$4 instructions=$5
out=build/random/run
mkdir -p "$out"
failed=0
for ((seed = first; seed <= last; seed++)); do
	elf=$out/$seed.elf said=$out/$seed.said
	"$generator" --seed "$seed" --instructions "$instructions" -o "$elf" || exit 2
	# shellcheck disable=SC2086 # the command is words
	timeout -k 1 120 $simulator "$elf" < /dev/null > "$said" 2>&1
	status=$?
	if [ "$status" = 0 ]; then
		rm -f "$elf" "$said"
		continue
	fi
	failed=$((failed + 1))
	echo "seed $seed: status $status, $elf, $said: $(head -n 1 "$said")"
done
echo "random: $((last - first + 1 - failed)) passed, $failed failed, $instructions instructions each"
[ "$failed" = 0 ]
