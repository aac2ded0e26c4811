#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs self-checking programs: run.sh "MACHINE COMMAND" PROGRAM.elf... The program is the
# last argument of the command; the exit status is the number of the failing case. NAME.in
# beside this script is the program's standard input, NAME.exit the expected exit status
# if it is not 0; ISA_EXIT is that of all of them. Prints one line per failure, then a summary.
set -u -o pipefail
here=$(dirname "$0")
limit=${ISA_TIMEOUT:-20}
machine=$1
shift
passed=0
failed=0
for elf; do
	name=$(basename "$elf" .elf)
	expected=${ISA_EXIT:-$(cat "$here/$name.exit" 2>/dev/null || echo 0)}
	input=$here/$name.in
	[ -e "$input" ] || input=/dev/null
	# shellcheck disable=SC2086 # the command is words
	said=$(timeout -k 1 "$limit" $machine "$elf" <"$input" 2>&1 >/dev/null | tail -n 1)
	status=$?
	if [ "$status" = "$expected" ]; then
		passed=$((passed + 1))
		continue
	fi
	case $status in
	0) why="passed, but should say $expected" ;;
	124 | 137) why="no answer in $limit s" ;;
	*) why="case $status failed" ;;
	esac
	failed=$((failed + 1))
	echo "$name: $why${said:+ ($said)}"
done
echo "isa on ${machine#*/bin/}: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
