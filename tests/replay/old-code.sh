#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code that memory no longer has is executed by the replay only if it is legal:
# old-code.sh BIN PROGRAM HARTS_PROGRAM
set -eu -o pipefail
export LC_ALL=C
bin=$1
work=${REPLAY_WORK:-build/replay}/old-code
mkdir -p "$work"

# replays OPTIONS PROGRAM: the replay says how many instructions were old, more than none.
replays() { # NAME PROGRAM OPTIONS...
	"$bin/soc-sim" "${@:3}" --trace "$work/$1.tr" "$2"
	"$bin/tr-replay" "$work/$1.tr" "$2" | grep -q '^[1-9][0-9]* instructions that memory no longer had$' ||
		{ echo "$1: no old code in the replay" >&2; exit 1; }
}
replays one "$2"
replays two "$3" --harts 2

# refuses NAME AWK MESSAGE: changes the text of the trace of one hart.
"$bin/tr-text" "$work/one.tr" > "$work/one.txt"
refuses() {
	awk "$2" "$work/one.txt" | sed '/^end instructions\|^end cycles/d' | "$bin/tr-text" --encode -o "$work/changed.tr"
	status=0
	"$bin/tr-replay" "$work/changed.tr" "$program" > "$work/changed.txt" 2>&1 || status=$?
	if [ $status != 2 ] || ! grep -q "$3" "$work/changed.txt"; then
		echo "$1: not refused ($status):" >&2
		cat "$work/changed.txt" >&2
		exit 1
	fi
}
program=$2
# The blocks of `plain`: the old code, executed twice, and the new one.
old=$(awk '/^block/ && $4 == "00100513" { print $2 }' "$work/one.txt")
new=$(awk -v old="$old" '$2 == old { split($3, pc, "=") } /^block/ && pc[2] && $3 == "pc=" pc[2] && $2 != old { print $2 }' "$work/one.txt")
refuses 'after fence.i' "\$1 == \"row\" && \$2 == \"$new\" { \$2 = \"$old\" } { print }" 'is another one'
refuses 'never there' "\$2 == \"$old\" && \$1 == \"block\" { print; \$2 = \"b999\"; \$4 = \"00700513\" }
	\$1 == \"row\" && \$2 == \"$old\" && ++n == 2 { \$2 = \"b999\" } { print }" 'is another one'
refuses 'another choice' "\$1 == \"row\" && \$2 == \"$old\" && ++n == 2 { \$2 = \"$new\" } { print }" 'the model executes'
echo 'replay: code that memory no longer has: followed where it is legal, else refused'
