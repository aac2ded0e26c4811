#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests entries.sh: with one error at a time in a copy of its input it must fail, and say so.
#
#   tests/mutants/entries-wrong.sh CHANGES WORK
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0") changes=$1 work=$2 count=0 failed=0
rm -rf "$work"
mkdir -p "$work"

# wrong FILE SED_SCRIPT MESSAGE: edits a copy of the first of these files that it names.
wrong() {
	local good=$here/$1 said names=("$here/survivors.txt" "$here"/*.changes) i
	count=$((count + 1))
	sed -E "$2" "$good" > "$work/$1"
	for i in "${!names[@]}"; do [ "${names[i]}" != "$good" ] || names[i]=$work/$1; done
	if said=$("$here/entries.sh" "$changes" "${names[@]}" 2>&1); then
		echo "entries.sh does not notice: $1: $2"
		failed=1
	elif [[ $said != *$3* ]]; then
		printf 'entries.sh does not say "%s": %s: %s\n%s\n' "$3" "$1" "$2" "$said"
		failed=1
	fi
}

first='1,/^[^#\t]/' # up to the first entry
wrong survivors.txt "$first s,^[a-z]+/,&none/," 'there is no such file'
wrong survivors.txt "$first s,^filters/lib/[^:]*,filters/lib/stream/stream.h," 'no changes are made of this file'
wrong survivors.txt "$first s, → .*, → nothing," 'has no such change'
wrong survivors.txt "$first s, → .*,," 'has no such change'
wrong survivors.txt '0,/^\t/ s/^\t/\tother /' 'no two lines are: other'
wrong survivors.txt '4d' 'an entry has three lines'
wrong survivors.txt '6d' 'an entry has three lines'
wrong survivors.txt '6s/.*/\t/' 'an entry has three lines'
wrong survivors.txt '4,6H;${x;s/^\n//;x;G}' 'is there twice'
wrong survivors.txt '1,$d' '0 entries'
wrong copy.changes '0,/^rtl/ s/^rtl/none/' 'there is no file none'
wrong copy.changes '0,/clip = to_reach/ s/clip = to_reach/clip = elsewhere/' '0 lines of rtl/mem/copy_unit.sv have'
wrong copy.changes '0,/^    if .to_reach/ s/^    if .to_reach.*/clip/' 'lines of rtl/mem/copy_unit.sv have'
wrong copy.changes "0,/1'b0/ s/1'b0/to_reach < clip/" 'the new text is the old one'
wrong copy.changes '$d' 'a change has four lines'
wrong interrupts.changes '/^#/!d' 'there is no change'
wrong crossbar.changes 's/^dropped-ack-of-two/dropped-probe/' 'two changes of this name'

# Without changes to look in, nothing may pass.
: > "$work/none"
count=$((count + 1))
if "$here/entries.sh" "$work/none" "$here/survivors.txt" "$here"/*.changes > /dev/null 2>&1; then
	echo "entries.sh does not notice: no changes"
	failed=1
fi
echo "entries.sh: $count errors tried"
exit $failed
