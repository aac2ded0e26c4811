#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs of the mix `plain`, which print a hash of their data, on two machines:
# compare.sh "COMMAND" "OTHER COMMAND" FIRST_SEED COUNT INSTRUCTIONS Prints one line for
# each seed on which the two disagree, then a summary.
set -u -o pipefail
program=${RANDOM_PROGRAM:-build/random/random-program}
work=${RANDOM_WORK:-build/random/work}
limit=${RANDOM_TIMEOUT:-60}
mkdir -p "$work" || exit 2

answer() { # COMMAND ELF
	# shellcheck disable=SC2086 # the command is words
	timeout -k 1 "$limit" $1 "$2" 2> /dev/null < /dev/null
	echo " status $?"
}

failed=0
for ((seed = $3; seed < $3 + $4; seed++)); do
	elf=$work/compare.elf
	"$program" --seed "$seed" --instructions "$5" --mix plain --print -o "$elf" || exit 2
	one=$(answer "$1" "$elf")
	other=$(answer "$2" "$elf")
	[ "$one" = "$other" ] && [ "$one" != "${one% status 0}" ] && continue
	failed=$((failed + 1))
	echo "seed $seed: $one and $other"
done
echo "random: $4 programs compared, $failed failed"
[ "$failed" = 0 ]
