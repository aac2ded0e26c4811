#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures what the stubs of prof-extract cost a call on the hardware, warm:
#
#	stub-cycles.sh WORK PROGRAM
#
# PROGRAM is stub_cycles.elf. PROGRAMS has stub-image, BIN prof-extract and soc-sim. WORK/costs.csv
# becomes the cycles of each function: the fewest of three callers, and the most. Fails if a near
# stub costs more than 7, or a far one more than 9.
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0")
work=$1 program=$2

rm -rf "$work"
mkdir -p "$work"
"$BIN/prof-extract" -o "$work/files" "$program"
"$BIN/prof-extract" --list "$program" > "$work/list.csv"
files=$work/files$(realpath "$program")
riscv64-unknown-elf-nm "$files/injected.o" > "$work/stubs"
measure() { # NAME [FOLDER]
	"$PROGRAMS/stub-image" "$program" "${@:2}" > "$work/image"
	timeout 60 "$BIN/soc-sim" --max-cycles 20M "$work/image@0x80000000" < /dev/null > "$work/$1"
}
measure without
measure with "$files"
awk -f "$here/stub-cycles.awk" "$work/list.csv" "$work/stubs" "$work/without" "$work/with" > "$work/costs.csv"
