#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From a function to the cycles of its slowest call: their trace, waveform and pipeline,
# compared with each other; and cycles of two harts. run.sh BIN-FOLDER FST-READER PROGRAM
set -eu -o pipefail
bin=$(cd "$1" && pwd)
fst=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
harts=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
target=$(cd build/target && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "view: $1" >&2; exit 1; }
images="$target/firmware.elf $target/demo.elf"

# The slowest of the first calls of the kernel's memset.
# shellcheck disable=SC2086 # words
"$bin/soc-sim" --max-cycles 1M --trace all.tr $images > /dev/null || [ $? = 1 ]
"$bin/tr-match" --bins "$target/bins.lst" all.tr | "$bin/tr-unwind" -o stacks.tr
"$bin/tr-report" slowest --format csv supervisor:memset stacks.tr > slowest.csv
read -r from to < <(awk -F, 'NR == 2 { print $3, $4 }' slowest.csv)
[ "$to" -gt "$from" ] || fail 'no call'

# shellcheck disable=SC2086
"$bin/soc-sim" --start cycle=$((from + 1)) --stop cycle="$to" --max-cycles "$to" --trace call.tr \
	--wave call.fst --kanata call.kanata $images > /dev/null || [ $? = 1 ]

# committed_of TRACE HART, retired_of LOG HART: cycle and pc of each instruction, in order.
committed_of() {
	"$bin/tr-text" --tokens "$1" | sed -n "s/^token 0x\([0-9a-f]*\) .* hart=$2 cycle=\([0-9]*\).*/\2 \1/p"
}
retired_of() {
	awk -F '\t' -v hart="$2" '/^C=/ { now = $2 } $1 == "C" { now += $2 }
		$1 == "I" { at[$2] = $4 } $1 == "L" { split($4, text, ":"); pc[$2] = text[1] }
		$1 == "R" && $4 == 0 && at[$2] == hart { print now, pc[$2] }' "$1"
}
# commits WAVE SIGNAL: the cycles after those in which it is high.
commits() {
	"$fst" "$1" "$2" > changes
	awk 'NR > 1 && value == 1 { for (t = time; t < $1; t++) print t + 1 } { time = $1; value = $2 }' changes
}

# Each instruction of the trace retires in the pipeline's log, in the same cycle, in order.
committed_of call.tr 0 > tokens
retired_of call.kanata 0 > retired
cmp tokens retired || fail 'the pipeline retires other instructions than the trace'
instructions=$(wc -l < tokens)
[ "$instructions" -gt 100 ] || fail "only $instructions instructions"
[ "$(awk -F '\t' '$1 == "I"' call.kanata | wc -l)" = "$(awk -F '\t' '$1 == "R"' call.kanata | wc -l)" ] ||
	fail 'an instruction neither retires nor is flushed'
grep -q '^R.*1$' call.kanata || fail 'nothing was flushed'

# The signal of the waveform is high in the cycle before each of these commits, and in no other.
commits call.fst u_hart.commit > high
awk -v last="$(tail -1 changes | cut -d ' ' -f 1)" '$1 <= last { print $1 }' tokens > committed
cmp high committed || fail 'the waveform commits in other cycles than the trace'
read -r first last signals < <("$fst" call.fst)
[ "$first" -ge "$from" ] && [ "$last" -le "$to" ] || fail "the waveform is of cycles $first to $last"

# Nothing else changes, and files that cannot be written are reported.
# shellcheck disable=SC2086
"$bin/soc-sim" --start cycle=$((from + 1)) --stop cycle="$to" --max-cycles "$to" --trace plain.tr $images > /dev/null || [ $? = 1 ]
diff <("$bin/tr-text" plain.tr | grep -v '^header pg') <("$bin/tr-text" call.tr | grep -v '^header pg') > /dev/null ||
	fail 'the trace differs from one without a waveform'
for option in --wave --kanata; do
	status=0
	# shellcheck disable=SC2086
	"$bin/soc-sim" --max-cycles 100 $option /nowhere/file $images > out 2>&1 || status=$?
	[ $status = 2 ] && grep -q '^soc-sim: /nowhere/file: No such file' out || fail "$option: $(cat out)"
done
# The writer of waveforms would replace a device by a file.
status=0
# shellcheck disable=SC2086
"$bin/soc-sim" --max-cycles 100 --wave /dev/null $images > out 2>&1 || status=$?
[ $status = 2 ] && [ -c /dev/null ] && grep -qx 'soc-sim: /dev/null: a waveform needs a regular file' out || fail "device: $(cat out)"
status=0
# shellcheck disable=SC2086
"$bin/soc-sim" --max-cycles 5000 --kanata /dev/full $images > out 2>&1 || status=$?
[ $status = 2 ] && grep -q '^soc-sim: /dev/full: No space left' out || fail "full disk: $(cat out)"

# Two harts: the same of each.
"$bin/soc-sim" --harts 2 --start cycle=3k --stop cycle=5k --trace harts.tr --wave harts.fst --kanata harts.kanata "$harts"
for hart in 0 1; do
	committed_of harts.tr $hart > tokens
	[ "$(wc -l < tokens)" -gt 100 ] || fail "hart $hart: few instructions"
	retired_of harts.kanata $hart | cmp tokens - || fail "hart $hart: the pipeline retires other instructions"
	commits harts.fst "gen_harts[$hart].u_hart.commit" > high
	awk -v last="$(tail -1 changes | cut -d ' ' -f 1)" '$1 <= last { print $1 }' tokens | cmp high - ||
		fail "hart $hart: the waveform commits in other cycles"
done
echo "view: $instructions instructions in $((to - from)) cycles, $signals signals"
