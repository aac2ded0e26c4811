#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs named after the class in which they lose their slots, and perhaps how: run.sh
# "SOC-SIM COMMAND" TR-TEXT PROGRAM.elf... Each must lose at least 80 % of its slots in that class,
# and tokens and lost slots must add up to four a cycle, but for the cycles in which the window
# begins and ends. Of the slots of dispatch 80 % must be those of its group: frontend, bad
# speculation or backend.
set -uo pipefail
export LC_ALL=C
sim=$1 text=$2
shift 2
failed=0
for elf; do
	name=$(basename "$elf" .elf)
	class=$(cut -d. -f1,2 <<< "$name")
	ends=0 group=backend least=80 blocked=
	case $name in
	frontend.*) group=frontend ;;
	# Dispatch waits until they are the oldest, and then for the redirect.
	badspec.flush | badspec.trap) group=badspec least=50 ;;
	badspec.*) group=badspec ;;
	memory.l2 | memory.dram*) blocked=dcache_blocked ;;
	esac
	# It omits the first cycle of each wait, which is short for the L2 and the walker.
	[ "$name" != frontend.icache-dram ] || blocked=icache_blocked
	# Endless traps.
	[ "$name" != badspec.trap ] || ends=2
	# shellcheck disable=SC2086 # the command is words
	$sim --start "pc=$elf:begin" --stop "pc=$elf:end" --counters all --counters-csv "${elf%.elf}.csv" \
		--trace - "$elf" < /dev/null 2> /dev/null |
		"$text" --tokens | awk -v class="$class" -v program="$name" -v least=80 -f tests/slots/slots.awk
	status=("${PIPESTATUS[@]}")
	[ "${status[*]}" = "$ends 0 0" ] || { echo "$name: exits ${status[*]}"; failed=$((failed + 1)); }
	awk -v group=$group -v program="$name" -v least=$least -v blocked=$blocked -f tests/slots/dispatch.awk "${elf%.elf}.csv" ||
		failed=$((failed + 1))
done
[ "$failed" = 0 ]
