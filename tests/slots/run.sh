#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs named after the class in which they lose their slots: run.sh "SOC-SIM COMMAND"
# TR-TEXT PROGRAM.elf... Each must lose at least 80 % of its slots in that class, and tokens and
# lost slots must add up to four a cycle, but for the cycles in which the window begins and ends.
set -uo pipefail
export LC_ALL=C
sim=$1 text=$2
shift 2
failed=0
for elf; do
	name=$(basename "$elf" .elf)
	with=none ends=0
	case $name in
	# A store that is late is late for a reason, which is another class.
	badspec.clear) with=core.mul ;;
	# Endless traps.
	badspec.trap) ends=2 ;;
	esac
	# shellcheck disable=SC2086 # the command is words
	$sim --start "pc=$elf:begin" --stop "pc=$elf:end" --trace - "$elf" < /dev/null 2> /dev/null |
		"$text" --tokens | awk -v class="$name" -v with="$with" -v least=80 -f tests/slots/slots.awk
	status=("${PIPESTATUS[@]}")
	[ "${status[*]}" = "$ends 0 0" ] || { echo "$name: exits ${status[*]}"; failed=$((failed + 1)); }
done
[ "$failed" = 0 ]
