#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that functions can be found by name. Of those that the host's C and C++ in
# filters/, sim/ (without sim/target/) and rtl/ define, at most 8 % may share their name
# with another, and at most 4 % may have a name of one word, without _. In all C and C++,
# the operand of sizeof is in parentheses.
#
#   tests/names/count.sh [FOLDER]
#
# FOLDER is that of the sources (.). Prints both figures; on failure also the names that
# most functions share, those of one word, or the lines. Exits 1 then, and where nothing
# can be counted.
set -eu -o pipefail
export LC_ALL=C
cd "${1:-.}"
shared_limit=8 word_limit=4 # percent

# Exuberant Ctags answers to the same name and takes other options.
version=$(ctags --version 2> /dev/null) || version=
case $version in
*'Universal Ctags'*) ;;
*)
	echo 'names: ctags is missing: install universal-ctags'
	exit 1
	;;
esac

sources() { # FOLDER...
	find "$@" \( -path ./build -o -path sim/target \) -prune -o \
		\( -name '*.[ch]' -o -name '*.cc' \) -print
}

# NAME FILE, one for each function; ctags prints a line once, so that variants for the
# preprocessor in one file are one function.
functions() {
	local folder folders=()
	for folder in filters sim rtl; do
		[ ! -d "$folder" ] || folders+=("$folder")
	done
	[ ${#folders[@]} -eq 0 ] || sources "${folders[@]}" | sort |
		ctags --quiet --options=NONE --languages=C,C++ --kinds-C=f --kinds-C++=f -x --_xformat='%N %F' -L -
}

# The first 10 names of one kind.
worst() { # KIND TABLE
	awk -v kind="$1" '$1 == kind { print $2, $3, $4 }' <<< "$2" | sort -k1,1nr -k2,2 | head -n 10
}

failed=
table=$(functions | awk '
	{ count[$1]++; if (!($1 in files)) files[$1] = $2; else files[$1] = files[$1] "," $2; total++ }
	END {
		for (name in count) {
			if (count[name] > 1) { shared += count[name]; print "shared", count[name], name, files[name] }
			if (name !~ /_/) { words += count[name]; print "word", count[name], name, files[name] }
		}
		print "total", total + 0, shared + 0, words + 0
	}')
read -r _ total shared words < <(grep '^total ' <<< "$table")
if [ "$total" = 0 ]; then
	echo 'names: no function was found'
	exit 1
fi
awk -v total="$total" -v shared="$shared" -v words="$words" -v shared_limit=$shared_limit -v word_limit=$word_limit 'BEGIN {
	printf "names: %d functions, %.1f %% share their name (limit %d), %.1f %% have one word (limit %d)\n",
		total, 100 * shared / total, shared_limit, 100 * words / total, word_limit }'
if [ $((100 * shared)) -gt $((shared_limit * total)) ]; then
	worst shared "$table" | sed 's/^/names: shared by /'
	failed=1
fi
if [ $((100 * words)) -gt $((word_limit * total)) ]; then
	worst word "$table" | awk '{ print "names: one word: " $2 " in " $3 }'
	failed=1
fi

# Strings may speak of sizeof.
bare=$(sources . | sort | tr '\n' '\0' | xargs -0 grep -HnE 'sizeof +[^ ]' |
	sed -E 's/"([^"\\]|\\.)*"/""/g' | grep -E '\<sizeof +["A-Za-z_*&(]' || :)
if [ -n "$bare" ]; then
	# shellcheck disable=SC2001 # each line
	sed 's/^/names: sizeof without parentheses or with a space: /' <<< "$bare"
	failed=1
fi
[ -z "$failed" ]
