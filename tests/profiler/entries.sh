#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# entries.sh PROGRAM: the functions of an ELF file for count-entries: by its symbols, or, if
# it is stripped, by its .eh_frame and by its direct calls, which may be more than there are
# functions. The instruction is the disassembler's.
set -eu -o pipefail
export LC_ALL=C
CROSS=${CROSS:-riscv64-linux-gnu-}
program=$1
"${CROSS}readelf" -lW "$program" | awk '$1 == "LOAD" && $0 ~ / R E / { if (!n++) print "code " $3, $6 } END { exit !n }'
{
	"${CROSS}nm" -n --defined-only "$program" 2>/dev/null |
		awk '$2 ~ /^[tTwWi]$/ && $3 !~ /^[$.]/ { print "symbol", $1, $3 }'
	"${CROSS}readelf" --debug-dump=frames "$program" 2>/dev/null |
		awk 'match($0, /pc=[0-9a-f]+\.\./) { print "frame", substr($0, RSTART + 3, RLENGTH - 5) }'
	"${CROSS}objdump" -d -M no-aliases "$program" |
		awk '$3 ~ /^jalr?$/ && match($0, /(\tjal\tra,|\tra,.*# )(0x)?[0-9a-f]+/) {
			target = substr($0, RSTART, RLENGTH); sub(/.*[ ,](0x)?/, "", target); print "call", target }'
	"${CROSS}objdump" -d "$program" | awk '$1 ~ /^[0-9a-f]+:$/ { sub(/:/, "", $1); print "code", $1, $2 }'
} | awk '
	function pad(text) { return substr("0000000000000000" text, length(text) + 1) }
	{ $2 = pad($2) }
	$1 == "symbol" { symbols++; if ($2 in name) name[$2] = name[$2] "=" $3; else name[$2] = $3 }
	($1 == "frame" || $1 == "call") && !symbols { name[$2] = "0x" $2 }
	$1 == "code" && $2 in name { print $2, $3, name[$2] }' | sort
