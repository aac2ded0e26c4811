#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that only filters/lib/stream/mode.h takes the number of a mode apart: elsewhere in
# the C and C++ of filters/, rtl/, sim/ (without sim/target/) and tests/unit/ no privilege
# is masked, nor compared with the number of a mode that has a name there. A privilege is
# what has a name of words that begin or end with priv, or, for masks, the mode before a trap
# or a change, `from` and `now`.
#
#   tests/modes/masks.sh [FOLDER]
#
# FOLDER is that of the sources (.). Prints the lines that do so and exits 1 then, and
# where mode.h or other sources are missing.
set -eu -o pipefail
export LC_ALL=C
cd "${1:-.}"
module=filters/lib/stream/mode.h
mask='\<((\w+_)?priv(_\w+)?|from|now)(\([^()]*\))?\)* *(&=?|%) *~?\(?(0[xX])?([0-9]|TR_PRIV_|TR_NOMINAL_)'
number='\<(\w+_)?priv(_\w+)?\)* *[=!]= *(0[xX])?[013][uU]?\>'

folders=()
for folder in filters rtl sim tests/unit; do
	[ ! -d $folder ] || folders+=($folder)
done
files=$([ ${#folders[@]} -eq 0 ] || find "${folders[@]}" -path sim/target -prune -o \
	\( -name '*.[ch]' -o -name '*.cc' \) -print | sort)
others=$(grep -vx $module <<< "$files" || :)
if [ ! -f $module ] || [ -z "$others" ]; then
	echo "modes: $module or other sources are missing"
	exit 1
fi
masked=$(tr '\n' '\0' <<< "$others" | xargs -0 grep -HnE "$mask|$number" || :)
if [ -n "$masked" ]; then
	# shellcheck disable=SC2001 # each line
	sed 's/^/modes: takes a privilege apart: /' <<< "$masked"
	exit 1
fi
echo "modes: $(wc -l <<< "$others") files take no privilege apart"
