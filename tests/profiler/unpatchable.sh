#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# unpatchable.sh PROGRAM: checks that the functions which prof-extract refuses cannot be patched, with
# what the GNU tools say of the program. EXTRACT is prof-extract. See unpatchable.awk.
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0")
CROSS=${CROSS:-riscv64-linux-gnu-}

# facts PROGRAM: what is known of it, a line each.
facts() {
	local file=$1 data
	"$EXTRACT" --why "$file" | sed 's/^/why /'
	"${CROSS}readelf" -hW "$file" | awk '/Entry point/ { print "start", $NF } / DYN / { print "movable" }'
	"${CROSS}readelf" -lW "$file" | awk '$1 == "LOAD" { print "load", $2, $3, $4, $5, $6 }'
	"${CROSS}readelf" -sW "$file" | awk '
		$1 ~ /^[0-9]+:$/ && $7 != "UND" && $4 !~ /^(OBJECT|SECTION|FILE|TLS)$/ && $8 !~ /^\$[xd]/ { print "symbol", $2, $3, $4, $8 }' | sort
	if [ "$("${CROSS}readelf" -SW "$file" | grep -c ' SYMTAB ')" = 0 ]; then
		echo stripped
		"${CROSS}readelf" --debug-dump=frames "$file" 2> /dev/null |
			sed -n 's/.* pc=\([0-9a-f]*\)\.\.\([0-9a-f]*\)$/frame \1 \2/p' | sort
	fi
	# The pointer to a table of call sites is the first of the augmentation data, 17 bytes behind the
	# begin of its entry, and is relative to its own place.
	"${CROSS}readelf" -SW --debug-dump=frames "$file" 2> /dev/null | awk '
		match($0, /\.eh_frame +PROGBITS +[0-9a-f]+/) { n = split(substr($0, RSTART, RLENGTH), part, " "); section = part[n] }
		/ FDE / { split($0, part, /pc=|\.\./); entry = $1; start = part[2] }
		/ CIE$/ { start = "" }
		/Augmentation data:/ && start && NF == 6 { print "call_sites", start, section, entry, $3 $4 $5 $6 }'
	"${CROSS}readelf" -rW "$file" | awk '$3 ~ /^R_RISCV/ { print "relocation", $1, (NF > 4 ? $4 : 0), $NF }'
	data=$("${CROSS}readelf" -SW "$file" | sed 's/^ *\[ *[0-9]*\]//' |
		awk '$2 ~ /PROGBITS|ARRAY/ && $7 ~ /A/ && $7 !~ /X/ && $1 !~ /^\.eh_frame/ { print "--section=" $1 }')
	# shellcheck disable=SC2086 # a list of options
	[ -z "$data" ] || "${CROSS}objdump" -s $data "$file" | awk '/^ [0-9a-f]+ / { print "data", $1, substr($0, length($1) + 3, 35) }'
	"${CROSS}objdump" -d -M no-aliases,numeric "$file" | awk -F '\t' '
		/^Disassembly/ { own = !/\.i?plt/ }
		own && NF >= 3 { sub(/:/, "", $1); sub(/ .*/, "", $4); print "code", $1, $2, $3, $4 }'
}
facts "$1" | awk -v program="$(basename "$1")" -f "$here/unpatchable.awk"
