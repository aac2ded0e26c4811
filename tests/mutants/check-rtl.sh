#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the programs of PROGRAMS on the simulator in DIRECTORY, most in lockstep with the
# model, then compares their traces with those in WANT, where --record puts them: the same
# inputs take the same cycles, with the same classes of lost cycles.
#
#   tests/mutants/check-rtl.sh [--record] DIRECTORY WANT PROGRAMS [FIRST]
#
# Each line of PROGRAMS has a name, the standard input, the exit status and the arguments,
# separated by spaces. Prints the first program that fails and exits 1; traces are
# compared after all programs have passed. The registers start with different values in
# each program, by power-up.cc. Those whose name matches the pattern FIRST run first.
set -eu -o pipefail
shopt -s extglob

record=
[ "$1" = --record ] && record=1 && shift
directory=$1 want=$2 programs=$3 early=${4:-}
limit=200 # seconds per program: a deadlock must end, even on a busy machine
ulimit -f 400000 -c 0 # KiB per file: a loop must not fill the disk
ulimit -t 20 # CPU seconds per program

# The programs, each with its number in the file.
numbered() {
	local name rest n=0
	while read -r name rest; do
		n=$((n + 1))
		# shellcheck disable=SC2053 # a pattern
		[[ $name == $early ]] || [ "$1" = others ] || continue
		# shellcheck disable=SC2053
		[[ $name != $early ]] || [ "$1" = early ] || continue
		echo "$n $name $rest"
	done < "$programs"
}

first=''
while read -r number name input expected arguments; do
	status=0
	# shellcheck disable=SC2086 # arguments are words
	POWER_UP=$number timeout -k 1 "$limit" "$directory/sim" --no-provenance \
		--trace "$directory/trace" $arguments < "$input" > "$directory/console" 2>&1 || status=$?
	[ "$status" = "$expected" ] || {
		case $status in
		124 | 137) name="$name: no end" ;;
		2) name="$name: $(grep -q differ "$directory/console" && echo difference || echo failed)" ;;
		*) name="$name: exit status" ;;
		esac
		echo "$name"
		exit 1
	}
	digest=$(cat "$directory/trace" "$directory/console" | md5sum)
	if [ -n "$record" ]; then
		echo "$digest" > "$want/$name"
	elif [ -z "$first" ] && [ "$digest" != "$(cat "$want/$name")" ]; then
		first=$name
	fi
done < <(numbered early; numbered others)
[ -z "$first" ] || {
	echo "cycles of $first"
	exit 1
}
