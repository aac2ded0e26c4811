#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs random functions with and without the stubs of prof-extract:
#
#	run.sh WORK SEED COUNT
#
# PROGRAMS has random-functions and check-stubs, EXTRACT is prof-extract. PROFILER_PLACES are
# the places of the areas: 0 the lowest, 1 the highest, 2 others, where the program has a bias
# as well. Prints how many functions, labels and runs of each kind there were, and fails if a
# function behaves otherwise with its stub, or some kind does not occur; also if it is not shown
# that those without a stub cannot have one.
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0")
work=$1 seed=$2 count=$3
limit=${PROFILER_TIMEOUT:-120}

rm -rf "$work"
mkdir -p "$work"
# program NAME SEED COUNT
program() {
	local stem=$work/$1
	"$PROGRAMS/random-functions" "$2" "$3" "$stem.expected" > "$stem.S"
	riscv64-unknown-elf-as -march=rv64gc_zicsr_zifencei -mno-relax -o "$stem.o" "$stem.S"
	riscv64-unknown-elf-ld --no-relax --build-id=sha1 -T "$here/functions.ld" -o "$stem.elf" "$stem.o"
}

# Another program comes first: some of its functions have the same names, so that the global
# indexes are in another order.
program other $((seed + 1)) 200
timeout "$limit" "$EXTRACT" -o "$work/files" "$work/other.elf"
program functions "$seed" "$count"
timeout "$limit" "$EXTRACT" -o "$work/files" "$work/functions.elf"
timeout "$limit" "$EXTRACT" --list "$work/functions.elf" > "$work/list.csv"
awk -f "$here/expect.awk" "$work/functions.expected" "$work/list.csv"
riscv64-unknown-elf-objdump -d -M no-aliases "$work/functions.elf" | awk -f "$here/first.awk" "$work/list.csv" -
riscv64-unknown-elf-nm "$work/functions.elf" | awk '$3 ~ /^(f[0-9]+|away[0-9])$/ { print $1, $3 }' | sort > "$work/symbols"
timeout "$limit" "$here/unpatchable.sh" "$work/functions.elf"
files=$work/files$(realpath "$work/functions.elf")

for place in ${PROFILER_PLACES:-0 1 2}; do
	timeout "$limit" "$PROGRAMS/check-stubs" "$work/functions.elf" "$files" "$work/symbols" "$place" > "$work/check"
done
# Far entries have their stubs above, whose jumps are out of reach of jal.
awk '$NF == 0 && !/far below|jump far/ { print "profiler: none: " $0 > "/dev/stderr"; missing = 1 }
	{ text = text (NR > 1 ? ", " : "") $0 }
	END { print text; exit missing }' "$work/check"
