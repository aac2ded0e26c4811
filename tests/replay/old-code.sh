#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code that memory no longer has is executed by the replay only if it is legal:
# old-code.sh BIN PROGRAM HARTS_PROGRAM
bin=$1
work=${REPLAY_WORK:-build/replay}/old-code
. "$(dirname "$0")/old.inc"

replays one "$2" 'instructions that memory no longer had'
replays two "$3" 'instructions that memory no longer had' --harts 2

"$bin/tr-text" "$work/one.tr" > "$work/one.txt"
program=$2
# The blocks of `plain`: the old code, executed twice, and the new one.
old=$(awk '/^block/ && $4 == "00100513" { print $2 }' "$work/one.txt")
new=$(awk -v old="$old" '$2 == old { split($3, pc, "=") } /^block/ && pc[2] && $3 == "pc=" pc[2] && $2 != old { print $2 }' "$work/one.txt")
refuses 'after fence.i' "\$1 == \"row\" && \$2 == \"$new\" { \$2 = \"$old\" } { print }" 'is another one'
refuses 'never there' "\$2 == \"$old\" && \$1 == \"block\" { print; \$2 = \"b999\"; \$4 = \"00700513\" }
	\$1 == \"row\" && \$2 == \"$old\" && ++n == 2 { \$2 = \"b999\" } { print }" 'is another one'
refuses 'another choice' "\$1 == \"row\" && \$2 == \"$old\" && ++n == 2 { \$2 = \"$new\" } { print }" 'the model executes'
echo 'replay: code that memory no longer has: followed where it is legal, else refused'
