#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the changes of CHANGES to a module, one at a time, and runs its bench, which must
# notice each; and none without a change.
#
#   CXX=... VERILATOR=... INCLUDES=... HDL=... OBJECTS=... [PEERS=... KNOWN=... PREFIX=...] \
#       [PROGRAMS=...] tests/mutants/chosen.sh WORK CHANGES
#
# VERILATOR is the command with its options, HDL what it is to read, OBJECTS the bench and
# libraries. If the bench is soc-sim, PEERS is the C++ that includes what VERILATOR writes,
# KNOWN the version and PREFIX the prefix for shorten.sh, and PROGRAMS run on it.
# Each change has four lines: its name, the file, the old text, the new text. The old text
# is unique in the file.
set -eu -o pipefail

work=$1 changes=$2
survived=0 count=0
read -ra programs <<< "${PROGRAMS:-}"
[ ${#programs[@]} != 0 ] || programs=('')

# Prints how the bench fails, or "survived".
run() { # FOLDER
	local program status limit=120 options=()
	[ -z "${PROGRAMS:-}" ] || limit=40 options=(--harts 2)
	for program in "${programs[@]}"; do
		status=0
		timeout -k 1 $limit "$1/bench" "${options[@]}" ${program:+"$program"} > "$1/out" 2>&1 < /dev/null || status=$?
		[ $status != 0 ] || continue
		program=${program##*/}
		[ $status = 124 ] && echo 'no end' > "$1/out"
		echo "noticed: ${program:+${program%.elf}: }$(sed -n '1{s/^[^ ]*: //;p;q}' "$1/out")"
		return
	done
	echo survived
}

# The same of a module with NEW in place of OLD.
try() { # NAME FILE OLD NEW
	local at=$work/$1 hdl=$HDL f
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
	[ -z "${PEERS:-}" ] || sim/verilated/shorten.sh "$at/gen" "$KNOWN" "$PREFIX" >> "$at/log" 2>&1
	for f in "$at"/gen/*.cpp; do echo "#include \"$PWD/$f\""; done > "$at/dut.cc"
	for f in "$at/dut.cc" ${PEERS:-}; do
		# shellcheck disable=SC2086
		$CXX -std=c++17 -I"$at/gen" $INCLUDES -O1 -w -c -o "$at/$(basename "$f" .cc).o" "$f"
	done
	# shellcheck disable=SC2086
	$CXX -o "$at/bench" "$at"/*.o $OBJECTS -lpthread
	run "$at"
	rm -rf "$at/gen" "$at/bench" "$at"/*.o
}

while read -r name && read -r file && IFS= read -r old && IFS= read -r new; do
	[ $count != 0 ] || [ "$(try unchanged "$file" "$old" "$old")" = survived ] || {
		echo "mutants: without a change fails: $(head -1 "$work/unchanged/out")" >&2
		exit 2
	}
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
