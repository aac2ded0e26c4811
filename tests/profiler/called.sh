#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares the functions that prof-extract finds in a program without symbols with those of
# the same program with symbols:
#
#	called.sh WORK PROGRAM...
#
# EXTRACT is prof-extract. Each function that it lists must be one by a symbol, and it must
# list each function that is called directly, as the disassembler shows.
set -eu -o pipefail
export LC_ALL=C
CROSS=${CROSS:-riscv64-linux-gnu-}
work=$1
shift

rm -rf "$work"
mkdir -p "$work"
failed=0
for program; do
	stem=$work/$(basename "$program" .elf)
	"${CROSS}strip" -o "$stem.stripped" "$program"
	"$EXTRACT" --list "$stem.stripped" 2> "$stem.log" | awk -F, 'NR > 1 { sub(/^0x/, "", $2); print $2 }' | sort > "$stem.listed"
	# Addresses, without zeros in front.
	"${CROSS}nm" "$program" | awk '$2 ~ /^[tTwWi]$/ && $3 !~ /^[.$]/ { sub(/^0*/, "", $1); print $1 }' | sort -u > "$stem.symbols"
	"${CROSS}readelf" -sW "$program" | awk '$4 ~ /^I?FUNC$/ && $7 != "UND" { sub(/^0*/, "", $2); print $2 }' | sort -u > "$stem.functions"
	"${CROSS}objdump" -d -M no-aliases "$program" |
		awk '$3 ~ /^jalr?$/ && match($0, /(\tjal\tra,|\tra,.*# )(0x)?[0-9a-f]+/) {
			target = substr($0, RSTART, RLENGTH); sub(/.*[ ,](0x)?/, "", target); print target }' |
		sort -u | comm -12 - "$stem.functions" > "$stem.called"
	comm -23 "$stem.listed" "$stem.symbols" | sed 's/.*/called: 0x&: listed, and no function/' > "$stem.wrong"
	comm -13 "$stem.listed" "$stem.called" | sed 's/.*/called: 0x&: called, and not listed/' >> "$stem.wrong"
	awk -v program="${program##*/}" '{ n[FILENAME]++ } END {
		printf "called: %s: %d listed of %d functions, %d are called, %d wrong\n", program, n[ARGV[1]], n[ARGV[2]], n[ARGV[3]], n[ARGV[4]] }' \
		"$stem.listed" "$stem.functions" "$stem.called" "$stem.wrong"
	[ -s "$stem.called" ] && [ ! -s "$stem.wrong" ] || { head -n 5 "$stem.wrong" >&2; failed=1; }
done
exit "$failed"
