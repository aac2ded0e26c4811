#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# log_indexes.sh PROGRAM LIST SHMEMG: the functions of an ELF file for follow-log, as lines
# "ADDRESS END LOCAL GLOBAL": where a function begins and ends, by its symbols, and its indexes
# in the counters of a process and in those of all, or -1. LIST is what prof-extract --list
# prints: counted functions have the local indexes 0, 1, ... in its order. SHMEMG has the
# names by global index (prof-files(5)).
set -eu -o pipefail
export LC_ALL=C
CROSS=${CROSS:-riscv64-linux-gnu-}
program=$1 list=$2 shared=$3

# number AT SIZE: of the shared memory
number() {
	od -An -t "u$2" -j "$1" -N "$2" "$shared" | tr -d ' '
}
functions=$(number 24 4)
capacity=$(number 28 4)
names=$(number 80 8)
{
	od -An -v -t u4 -w4 -j "$names" -N $((4 * functions)) "$shared" | awk '{ print "at", NR - 1, $1 % 2147483648 }'
	tail -c +$((names + 4 * capacity + 1)) "$shared" | tr '\0' '\n' |
		awk -v at=$((4 * capacity)) '{ print "name", at, $0; at += length + 1 }'
	awk 'NR > 1 {
		n = split($0, cell, ",")
		name = $0
		sub(/,0x[0-9a-f]*,[0-9]*,[a-z]*,[0-9]*,[01]$/, "", name)
		if (name ~ /^"/) { name = substr(name, 2, length(name) - 2); gsub(/""/, "\"", name) }
		print "listed", substr(cell[n - 4], 3), cell[n - 2], name }' "$list"
	"${CROSS}readelf" -sW "$program" | awk '$4 ~ /^(FUNC|IFUNC)$/ && $7 != "UND" {
		size = $3; print "symbol", $2, size ~ /^0x/ ? "hex" : "decimal", size }'
} | awk '
	function value(text,    i, n) {
		for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
		return n
	}
	{ rest = $0; sub(/^[^ ]* [^ ]* /, "", rest) }
	$1 == "at" { at[$2] = $3; count++ }
	$1 == "name" { name_at[$2] = rest }
	$1 == "listed" {
		sub(/^[^ ]* /, "", rest)
		address[listed + 0] = value($2); entry[listed + 0] = $3; name[listed++] = rest
	}
	$1 == "symbol" {
		start = value($2); size = $3 == "hex" ? value(substr($4, 3)) : $4
		if (!(start in ends)) starts[++nstarts] = start
		if (start + size > ends[start]) ends[start] = start + size
	}
	END {
		for (i = 0; i < count; i++) if (name_at[at[i]] != "" && !(name_at[at[i]] in global)) global[name_at[at[i]]] = i
		for (i = 0; i < listed; i++) {
			start = address[i]
			if (!(start in ends)) { print "log_indexes: no symbol at " start > "/dev/stderr"; exit 1 }
			end = ends[start]
			# Without a size it ends at the next one.
			if (end == start) {
				end = i + 1 < listed ? address[i + 1] : start + 4
				for (k = 0; k < i; k++) if (ends[address[k]] > start && ends[address[k]] < end) end = ends[address[k]]
			}
			counted = entry[i] == "near" || entry[i] == "far"
			if (counted && !(name[i] in global)) { print "log_indexes: no index of " name[i] > "/dev/stderr"; exit 1 }
			printf "%x %x %d %d\n", start, end, counted ? local++ : -1, counted ? global[name[i]] : -1
		}
	}'
