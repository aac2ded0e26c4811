#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares insn.h of the run-time profiler with LLVM's disassembler: each encoding that it
# knows has the kind, target and registers that it prints, and others are unknown, but of
# floating point, vectors and fences, where reserved values do no harm.
#
#     tests/decode/registers.sh DECODE-REGISTERS FOLDER
set -eu -o pipefail
export LC_ALL=C

here=$(dirname "$0")
list=$1 folder=$2
. "$here/features.sh"

command -v llvm-mc-19 > /dev/null || { echo 'test-decode: no llvm-mc-19: make deps' >&2; exit 1; }
mkdir -p "$folder"
"$list" > "$folder/registers.ours"
sed 's/ .*//' "$folder/registers.ours" | llvm 64 "$features,$with_d" |
	awk -f "$here/registers.awk" > "$folder/registers.theirs"
awk '
	function sorted(set, number, parts, has, i) { # of the numbers of a set
		number = split(set, parts, ",")
		for (i = 1; i <= number; i++) has[parts[i]]
		set = ","
		for (i = 1; i < 32; i++) if (i in has) set = set i ","
		return set
	}
	FNR == NR { kind[$1] = $2; rest[$1] = $3 " " sorted($4) " " sorted($5); name[$1] = $6; known++; next }
	{ own++ }
	!($1 in kind) && $2 != "unknown" && ($2 != "other" || $1 !~ /^\[0x([08][7f]|[2a]7|[4c][37bf]|[5d][37]|[7f]7),.*,.*,/) {
		wrong("no instruction")
	}
	!($1 in kind) || ($2 == "unknown" && kind[$1] == "unknown") { next }
	$2 != kind[$1] || $3 " " $4 " " $5 != rest[$1] { wrong(name[$1] ": " kind[$1] " " rest[$1]) }
	function wrong(theirs) { if (count++ < 10) print "registers: " $0 ", but " theirs }
	END { print "registers: " own " encodings, " known " known, " count + 0 " differ"; exit count > 0 || !known }
' "$folder/registers.theirs" "$folder/registers.ours"
