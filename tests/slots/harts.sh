#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with a hart of each core, each has as many slots in a cycle as its core can commit:
# harts.sh "SOC-SIM COMMAND" TR-TEXT PROGRAM.elf... Retired and lost slots of each hart must add up
# to its cycles, in whole runs and in a window that begins within a wait of either.
set -uo pipefail
export LC_ALL=C
sim=$1 text=$2
shift 2
failed=0
check() { # NAME OPTION...
	local name=$1
	shift
	# shellcheck disable=SC2086 # the command is words
	$sim "$@" --trace - "$elf" < /dev/null | "$text" --tokens | awk -v name="$name" -f tests/slots/harts.awk
	status=("${PIPESTATUS[@]}")
	[ "${status[*]}" = "0 0 0" ] || { echo "$name: exits ${status[*]}"; failed=$((failed + 1)); }
}
for elf; do
	check "$(basename "$elf" .elf)"
	for cycle in 30010 30017 30060; do
		check "$(basename "$elf" .elf) from $cycle" --start "cycle=$cycle" --stop cycle=60000
	done
done
[ "$failed" = 0 ]
