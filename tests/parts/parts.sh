#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# parts.sh JOBS FOLDER FIRST... -- PART... -- ALONE...: runs `make TARGET` for each target: FIRST
# one after the other, PART up to JOBS at a time, ALONE one after the other. They run one at a
# time as well if one of FIRST fails, because each may have to build what others need too. The
# output of FIRST is shown at once, that of the others, also in FOLDER/TARGET.log, when they end.
# The last thing printed is a table: the seconds that each took by the clock, those of the
# processor, and ok or failed. A test that reports nothing has tested nothing, and fails. The
# status is 1 if one has failed. MAKE is the command of make.
set -euo pipefail
export LC_ALL=C

jobs=$1 folder=$2
shift 2
groups=(first parts alone) first=() parts=() alone=() group=0
for word; do
	[ "$word" != -- ] || { group=$((group + 1)); continue; }
	declare -n list=${groups[group]}
	list+=("$word")
done
[ ${#parts[@]} -gt 0 ] || { echo 'parts.sh: no part to run' >&2; exit 2; }

mkdir -p "$folder"
rm -f "$folder"/*.{log,time,verdict}
trap 'kill $(jobs -p) 2> /dev/null; exit 130' INT TERM

# Does the log have a line besides the names of files that were built, and messages of make?
reports_something() { # TARGET
	grep -qvE '^  [A-Z]+ |^make|^$' "$folder/$1.log"
}

run_target() { # TARGET
	local TIMEFORMAT='%R %U %S' verdict=ok status=0
	{ time ${MAKE:-make} --no-print-directory "$1" > "$folder/$1.log" 2>&1 < /dev/null || status=$?; } 2> "$folder/$1.time"
	if [ $status != 0 ]; then
		verdict=failed
	elif [ -z "${2-}" ] && ! reports_something "$1"; then
		echo "$1: no test has run" >> "$folder/$1.log"
		verdict=failed
	fi
	echo $verdict > "$folder/$1.verdict"
}

show_log() { # TARGET
	echo "== $1"
	cat "$folder/$1.log"
}

for target in ${first[@]+"${first[@]}"}; do
	echo "== $target"
	: > "$folder/$target.log"
	tail -n +1 -f "$folder/$target.log" & shown=$!
	run_target "$target" built
	sleep 0.3
	kill $shown
	wait $shown 2> /dev/null || :
	[ "$(cat "$folder/$target.verdict")" = ok ] || jobs=1
done

declare -A running=()
wait_for_one() {
	local ended
	wait -n -p ended
	show_log "${running[$ended]}"
	unset "running[$ended]"
}
for target in "${parts[@]}"; do
	[ ${#running[@]} -lt "$jobs" ] || wait_for_one
	run_target "$target" &
	running[$!]=$target
done
while [ ${#running[@]} -gt 0 ]; do wait_for_one; done
for target in ${alone[@]+"${alone[@]}"}; do
	run_target "$target"
	show_log "$target"
done

failed=
echo "== $(printf '%-22s %8s %8s' part seconds cpu)"
for target in ${first[@]+"${first[@]}"} "${parts[@]}" ${alone[@]+"${alone[@]}"}; do
	verdict=$(cat "$folder/$target.verdict")
	[ "$verdict" = ok ] || failed+=" $target"
	awk -v name="$target" -v verdict="$verdict" '{ printf "   %-22s %8.1f %8.1f  %s\n", name, $1, $2 + $3, verdict }' \
		"$folder/$target.time"
done
awk '{ cpu += $2 + $3 } END { printf "   %-22s %8.1f %8.1f\n", "all", seconds, cpu }' seconds=$SECONDS "$folder"/*.time
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
