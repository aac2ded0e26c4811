#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# log_loads.sh PROGRAM FUNCTION...: a probe for each load of 8 bytes in these functions, with
# the address from which it loads.
set -eu -o pipefail
CROSS=${CROSS:-riscv64-linux-gnu-}
program=$1
shift
for function; do
	"${CROSS}objdump" -d -M no-aliases --disassemble="$function" "$program"
done | awk -v program="${program##*/}" '
	# 0000000000010544 <copy>:
	NF == 2 && $2 ~ /^<.*>:$/ { begin = $1; function_name = substr($2, 2, length($2) - 3); next }
	$3 ~ /^(c\.)?(ld|ldsp)$/ && match($4, /-?[0-9]+\([a-z0-9]+\)/) {
		place = substr($4, RSTART, RLENGTH - 1)
		offset = place; sub(/\(.*/, "", offset)
		base = place; sub(/.*\(/, "", base)
		at = substr($1, 1, length($1) - 1)
		printf "load%d: %s:%s+%d { address = reg(\"%s\") %s %d; }\n", count++, program, function_name,
			value(at) - value(begin), base, offset < 0 ? "-" : "+", offset < 0 ? -offset : offset
	}
	function value(text,    i, n) {
		sub(/^0+/, "", text)
		for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
		return n
	}
	END { if (!count) { print "log_loads: no loads" > "/dev/stderr"; exit 1 } }'
