#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Translations by page tables that memory no longer has are followed by the replay only if
# they are legal: old-translation.sh BIN PROGRAM HARTS_PROGRAM WALK_PROGRAM
bin=$1
work=${REPLAY_WORK:-build/replay}/old-translation
. "$(dirname "$0")/old.inc"

for what in 'translations that page tables in memory no longer gave' 'instructions that memory no longer had'; do
	replays one "$2" "$what"
	replays two "$3" "$what" --harts 2
done
replays walk "$4" 'translations that page tables in memory no longer gave' --harts 2
"$bin/soc-sim" --no-provenance --no-skip --trace "$work/slow.tr" "$2"
cmp "$work/one.tr" "$work/slow.tr"

"$bin/tr-text" "$work/one.tr" > "$work/one.txt"
program=$2
is='$1 == "translation"'
# Pages in memory: the one that is mapped first, the one after that, and one that never is.
pages=($(awk '$1 == "translation" { sub("address=", "", $2); print $2; exit }' "$work/one.txt"))
for i in 1 2; do
	pages[i]=$(printf '0x%x' $((pages[i - 1] + 4096)))
done
refuses 'dropped' "$is && ++n == 1 { next } { print }" 'the model executes'
refuses 'dropped, of a store' "$is && / store=1/ && ++n == 1 { next } { print }" 'the model executes'
refuses 'where memory has no translation' "$is && ++n == 6 { next } { print }" 'the model has the event trap'
refuses 'another page' "$is && ++n == 1 { sub(/${pages[0]}/, \"${pages[2]}\") } { print }" 'page tables did not give'
refuses 'the page that memory has' "$is && ++n == 1 { sub(/${pages[0]}/, \"${pages[1]}\") } { print }" 'the model executes'
refuses 'of the other kind' "$is && ++n == 1 { sub(/=0$/, \"=1\") } { print }" 'which the instruction does not do'
refuses 'too early' "/^row/ && ++n == 3 { print \"translation address=${pages[0]} store=0\" } { print }" \
	'which the instruction does not do'
# The code of the page that is mapped now, in place of the old one.
old=$(awk '/^block/ && $4 == "00100593" { print $2 }' "$work/one.txt")
new=$(awk '/^block/ && $4 == "00200593" { print $2 }' "$work/one.txt")
refuses 'code, after a fence' "\$1 == \"row\" && \$2 == \"$new\" && ++n == 1 { \$2 = \"$old\" } { print }" 'is another one'
refuses 'code, another choice' "\$1 == \"row\" && \$2 == \"$old\" && ++n == 2 { \$2 = \"$new\" } { print }" 'the model executes'
echo 'replay: translations that memory no longer has: followed where they are legal, else refused'
