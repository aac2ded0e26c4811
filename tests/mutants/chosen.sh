#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the changes of CHANGES to a module, one at a time, and runs its bench, which must
# notice each.
#
#   CXX=... VERILATOR=... INCLUDES=... HDL=... OBJECTS=... \
#       tests/mutants/chosen.sh WORK CHANGES
#
# VERILATOR is the command with its options, HDL what it is to read, OBJECTS the bench.
# Each change has four lines: its name, the file, the old text, the new text. The old text
# is unique in the file.
set -eu -o pipefail

work=$1 changes=$2
survived=0 count=0

# Prints how the bench fails, or "survived".
try() { # NAME FILE OLD NEW
	local at=$work/$1 hdl=$HDL
	rm -rf "$at"
	mkdir -p "$at"
	OLD=$3 NEW=$4 awk 'BEGIN { old = ENVIRON["OLD"]; new = ENVIRON["NEW"] }
		(at = index($0, old)) { $0 = substr($0, 1, at - 1) new substr($0, at + length(old)); n++ }
		{ print } END { exit n != 1 }' "$2" > "$at/changed.sv" || {
		echo "$2 has not one line with: $3"
		return 2
	}
	hdl=${hdl//"$2"/"$at/changed.sv"}
	# shellcheck disable=SC2086 # words
	$VERILATOR --Mdir "$at/gen" $hdl > "$at/log" 2>&1 || {
		tail -1 "$at/log"
		return 2
	}
	for f in "$at"/gen/*.cpp; do echo "#include \"$PWD/$f\""; done > "$at/dut.cc"
	# shellcheck disable=SC2086
	$CXX -std=c++17 -I"$at/gen" $INCLUDES -O1 -w -c -o "$at/dut.o" "$at/dut.cc"
	# shellcheck disable=SC2086
	$CXX -o "$at/bench" "$at/dut.o" $OBJECTS -lpthread
	if timeout 120 "$at/bench" > "$at/out" 2>&1; then
		echo survived
	else
		sed -n '1{s/^[^ ]* /noticed: /;p;q}' "$at/out"
	fi
	rm -rf "$at/gen" "$at/bench" "$at/dut.o"
}

while read -r name && read -r file && IFS= read -r old && IFS= read -r new; do
	result=$(try "$name" "$file" "$old" "$new") || {
		echo "mutants: $name: $result" >&2
		exit 2
	}
	echo "$name: $result"
	count=$((count + 1))
	[ "$result" != survived ] || survived=$((survived + 1))
done < <(grep -v '^#\|^$' "$changes")
echo "$(basename "$changes" .changes) mutants: $((count - survived)) of $count noticed"
[ $count -gt 0 ] && [ $survived = 0 ]
