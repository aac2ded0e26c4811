#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From a function to the cycles of its slowest call: their trace, waveform and pipeline,
# compared with each other; and cycles of two harts. run.sh BIN-FOLDER FST-READER CORE PROGRAM;
# a CORE for each of two harts has only the latter.
set -eu -o pipefail
bin=$(cd "$1" && pwd)
fst=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
core=$3
harts=$(cd "$(dirname "$4")" && pwd)/$(basename "$4")
rows=$(cd "$(dirname "$0")" && pwd)/rows.awk
target=$(cd build/target && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "view: $1" >&2; exit 1; }
images="$target/firmware.elf $target/demo.elf"

# committed_of TRACE HART, retired_of LOG HART: cycle and pc of each instruction, in order. The log
# is checked, too: everything in it retires or is flushed, in the order of the stages.
committed_of() {
	"$bin/tr-text" --tokens "$1" | sed -n "s/^token 0x\([0-9a-f]*\) .* hart=$2 cycle=\([0-9]*\).*/\2 \1/p"
}
retired_of() {
	awk -v cores="$core" -f "$rows" "$1" > "$1.rows" || fail "$1 is no log of this core"
	awk -v hart="$2" '$1 == hart && $3 == "retired" { print $4, $2 }' "$1.rows"
}
# commits WAVE SIGNAL: the cycles after those in which it is high, once for each lane.
commits() {
	"$fst" "$1" "$2" > changes
	awk 'NR > 1 { lanes = gsub(/1/, "", value); for (t = time; t < $1; t++) for (i = 0; i < lanes; i++) print t + 1 }
		{ time = $1; value = $2 }' changes
}
# changing TOKENS: the cycles of those of which the signal tells.
changing() {
	awk -v first="$(head -1 changes)" -v last="$(tail -1 changes)" '$1 > first + 0 && $1 <= last + 0 { print $1 }' "$1"
}

if [[ $core != *,* ]]; then
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

# Each instruction of the trace retires in the pipeline's log, in the same cycle, in order.
committed_of call.tr 0 > tokens
retired_of call.kanata 0 > retired
cmp tokens retired || fail 'the pipeline retires other instructions than the trace'
instructions=$(wc -l < tokens)
[ "$instructions" -gt 100 ] || fail "only $instructions instructions"
grep -q '^R.*1$' call.kanata || fail 'nothing was flushed'
# Converted back, the log is the trace: also the instructions.
insns_of() { "$bin/tr-text" --tokens "$1" | sed -n 's/^token \([^ ]* [0-9a-f]*\) .* cycle=\([0-9]*\).*/\1 \2/p'; }
"$bin/tr-capture" --from kanata -o log.tr call.kanata
cmp <(insns_of call.tr) <(insns_of log.tr) || fail 'other instructions than the trace'
[ "$(insns_of log.tr | wc -l)" = "$instructions" ] || fail 'no instructions'

# The signal of the waveform is high in the cycle before each of these commits, and in no other.
commits call.fst u_hart.commit > high
changing tokens > committed
cmp high committed || fail 'the waveform commits in other cycles than the trace'
read -r first last signals < <("$fst" call.fst)
[ "$first" -ge "$from" ] && [ "$last" -le "$to" ] || fail "the waveform is of cycles $first to $last"

# Nothing else changes, and files that cannot be written are reported.
# shellcheck disable=SC2086
"$bin/soc-sim" --start cycle=$((from + 1)) --stop cycle="$to" --max-cycles "$to" --trace plain.tr $images > /dev/null || [ $? = 1 ]
diff <("$bin/tr-text" plain.tr | grep -v '^header pg') <("$bin/tr-text" call.tr | grep -v '^header pg') > /dev/null ||
	fail 'the trace differs from one without a waveform'
# shellcheck disable=SC2086
"$bin/soc-sim" --no-skip --start cycle=$((from + 1)) --stop cycle="$to" --max-cycles "$to" --trace whole.tr \
	--kanata whole.kanata $images > /dev/null || [ $? = 1 ]
cmp call.kanata whole.kanata || fail 'the log is another one without skips'

# Several windows, each from a call of memset to the next return. The log begins with the cycle after
# that of the first token, and ends with that of the last, whole.
# shellcheck disable=SC2086
"$bin/soc-sim" --start "pc=$target/supervisor.elf:memset" --stop insn=0x8082 --max-cycles 200k --trace windows.tr \
	--kanata windows.kanata $images > /dev/null || [ $? = 1 ]
committed_of windows.tr 0 > tokens
retired_of windows.kanata 0 > retired
"$bin/tr-text" --tokens windows.tr | awk '/^trigger start/ { begins = 1 } /^trigger stop/ { print now }
	/^token/ { sub(/.* cycle=/, ""); now = $0 + 0; if (begins) print now; begins = 0 }' > ends
[ "$(wc -l < ends)" -gt 4 ] || fail "windows: $(wc -l < ends) ends"
inner() { awk 'FILENAME == "ends" { end[$1]; next } !($1 in end)' ends "$1"; }
cmp <(inner tokens) <(inner retired) || fail 'windows: the pipeline retires other instructions than the trace'
[ "$(inner tokens | wc -l)" -gt 1000 ] || fail 'windows: few instructions'

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
fi

# Two harts: the same of each.
"$bin/soc-sim" --harts 2 --start cycle=3k --stop cycle=5k --trace harts.tr --wave harts.fst --kanata harts.kanata "$harts"
"$bin/soc-sim" --harts 2 --no-skip --start cycle=3k --stop cycle=5k --trace whole.tr --kanata whole.kanata "$harts"
cmp harts.kanata whole.kanata || fail 'harts: the log is another one without skips'
for hart in 0 1; do
	committed_of harts.tr $hart > tokens
	[ "$(wc -l < tokens)" -gt 100 ] || fail "hart $hart: few instructions"
	retired_of harts.kanata $hart | cmp tokens - || fail "hart $hart: the pipeline retires other instructions"
	commits harts.fst "gen_harts[$hart].u_hart.commit" > high
	changing tokens | cmp high - ||
		fail "hart $hart: the waveform commits in other cycles"
done
echo "view: ${instructions:+$instructions instructions in $((to - from)) cycles, $signals signals, and }two harts"
