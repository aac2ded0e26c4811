#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs self-checking programs: run.sh "MACHINE COMMAND" PROGRAM.elf...
# The command gets the program as its last argument; its exit status is the
# number of the case that failed. One line per failure, then a summary.
set -u -o pipefail
machine=$1
shift
passed=0
failed=0
for elf; do
	name=$(basename "$elf" .elf)
	# shellcheck disable=SC2086
	said=$(timeout -k 1 "${ISA_TIMEOUT:-20}" $machine "$elf" </dev/null 2>&1 >/dev/null |
		tail -n 1)
	status=$?
	case $status in
	0) passed=$((passed + 1)) && continue ;;
	124 | 137) why="no answer in ${ISA_TIMEOUT:-20} s" ;;
	*) why="case $status failed" ;;
	esac
	failed=$((failed + 1))
	echo "$name: $why${said:+ ($said)}"
done
echo "isa: $passed passed, $failed failed"
[ "$failed" = 0 ]
