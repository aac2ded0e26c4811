#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records a run of a simulator and replays its trace:
# replay.sh SIMULATOR [OPTIONS...] -- [OPTIONS...] FILES...
# The simulator and tr-replay both get what is behind `--`, or `:`, since soc-net takes `--`
# for itself. The exit status is the simulator's, or 99 if the replay finds a difference; the
# last line on standard error says which. Standard input and output are the simulator's.
#
# Variables: REPLAY_NAME is a name for lines with instructions and rates, which are appended
# to REPLAY_SAYS (standard error); REPLAY_COUNT is a file to which the number of instructions
# is appended; REPLAY_WORK is the folder for the trace, which is removed at the end.
set -u -o pipefail
export LC_ALL=C
bin=${REPLAY_BIN:-build/bin}
work=${REPLAY_WORK:-build/replay}
TIMEFORMAT='%U %S'

simulator=()
while [ $# != 0 ] && [ "$1" != -- ] && [ "$1" != : ]; do
	simulator+=("$1")
	shift
done
if [ $# -lt 2 ] || [ ${#simulator[@]} = 0 ]; then
	echo "usage: replay.sh SIMULATOR [OPTIONS...] -- [OPTIONS...] FILES..." >&2
	exit 2
fi
shift
mkdir -p "$work" || exit 2
stem=$(mktemp "$work/XXXXXX") || exit 2
trap 'rm -f "$stem" "$stem".*' EXIT

# seconds FILE: of CPU time, user and system.
seconds() { awk '{ printf "%.2f", $1 + $2 }' "$1"; }

exec {errors}>&2
{ time "${simulator[@]}" --trace "$stem.tr" "$@" 2>&"$errors"; } 2> "$stem.recorded"
status=$?
{ time "$bin/tr-replay" -o "$stem.txt" "$stem.tr" "$@" 2>&"$errors"; } 2> "$stem.replayed" || exit 99
awk '{ print $1 }' "$stem.txt" | head -n 1 >> "${REPLAY_COUNT:-/dev/null}"
[ -z "${REPLAY_NAME:-}" ] || awk -v name="$REPLAY_NAME" -v recorded="$(seconds "$stem.recorded")" \
	-v replayed="$(seconds "$stem.replayed")" '
	NR == 1 { n = $1; said = $0 }
	END { printf "replay: %s: %s\n", name, said
		printf "  recorded in %s s of CPU time, replayed in %s s", recorded, replayed
		if (replayed >= 0.5) printf ", %.1f M instructions/s", n / replayed / 1e6
		print "" }' "$stem.txt" >> "${REPLAY_SAYS:-/dev/stderr}"
exit $status
