#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes COUNT mutants of FILE... and counts those that the fast tests notice; exit 1
# when there are fewer than KILLED. A change that does not compile, compiles to the
# same code, or survives because it changes nothing that can be seen, by survivors.txt,
# does not count, and the next is drawn instead.
#
#   CC=... CPPFLAGS=... LDLIBS=... tests/mutants/run.sh WORK BINS.LST SEED COUNT KILLED FILE...
#
# WORK holds the programs `mutate` and the trace run.tr. All else is built there from
# a copy of the sources; WORK/verdicts tells what became of each mutant.
set -eu -o pipefail

# Traps instead of messages: their texts would change with the column of a change.
FLAGS="-std=c11 -O1 -fPIC -fsanitize=address,undefined -fsanitize-undefined-trap-on-error"
PROGRAMS="tr-capture tr-diff tr-fold tr-info tr-match tr-split-by-satp tr-text tr-unwind"

# From standard input, so that the name of the file is not in the object.
compile() { # SOURCE OBJECT
	# shellcheck disable=SC2086,SC2094 # flags are words
	$CC $CPPFLAGS -I"$(dirname "$1")" $FLAGS -w -c -o "$2" -x c - < "$1"
}

link_library() { # DIRECTORY OBJECT...
	# shellcheck disable=SC2086
	$CC $FLAGS -shared -Wl,-soname,libtr.so -o "$1/libtr.so" "${@:2}" $LDLIBS
}

link_program() { # LIBRARY_DIRECTORY OUTPUT OBJECT...
	# shellcheck disable=SC2016,SC2086 # $ORIGIN is the loader's
	$CC $FLAGS -Wl,-rpath,'$ORIGIN:$ORIGIN/..' -o "$2" "${@:3}" "$1/libtr.so"
}

unit_tests() {
	(cd tests/unit && ls -- {decode,match,stream,unwind}-*.c) | sed 's/\.c$//'
}

build() {
	local name
	mkdir -p "$WORK/base/unit" "$WORK/obj"
	# shellcheck disable=SC2046,SC2086 # names are words
	printf '%s\n' filters/lib/*.c $(printf 'filters/%s.c\n' $PROGRAMS) \
		$(unit_tests | sed 's,.*,tests/unit/&.c,') |
		xargs -P 2 -n 1 "$run" --compile
	# shellcheck disable=SC2046
	link_library "$WORK/base" $(for name in filters/lib/*.c; do object "$name"; done)
	for name in $PROGRAMS; do
		link_program "$WORK/base" "$WORK/base/$name" "$(object "$name.c")"
	done
	for name in $(unit_tests); do
		link_program "$WORK/base" "$WORK/base/unit/$name" "$(object "$name.c")"
	done
}

object() { # SOURCE
	local name=${1##*/}
	echo "$WORK/obj/${name%.c}.o"
}

# The library, or the program, with the object of the changed file in it.
link_mutant() { # FILE DIRECTORY OBJECT
	local name
	if [[ $1 != filters/lib/* ]]; then
		name=$(basename "$1" .c)
		rm "$2/$name"
		link_program "$2" "$2/$name" "$3"
		return
	fi
	rm "$2/libtr.so"
	# shellcheck disable=SC2046
	link_library "$2" "$3" $(for name in filters/lib/*.c; do
		[ "$name" = "$1" ] || object "$name"
	done)
}

# Why a change survives, by survivors.txt: known by its lines, as numbers change.
explanation() { # FILE:NUMBER: OLD → NEW
	local file=${1%%:*} at=${1#*:} line
	line=$(sed -n "$((${at%%:*} - 1)),${at%%:*}{s/^[[:space:]]*//;p}" "$file" | paste -sd " ")
	head="$file:${at#*:}" line=$line awk '
		/^[^\t]/ { about = $0 == ENVIRON["head"]; found = 0; next }
		found { print substr($0, 2) }
		about { found = substr($0, 2) == ENVIRON["line"]; about = 0 }' \
		tests/mutants/survivors.txt
}

verdict() { # FILE DIRECTORY AT LENGTH NEW FILE:NUMBER:_OLD_→_NEW
	local changed=$2/mutant.c reason
	{
		head -c "$3" "$1"
		printf '%s' "$5"
		tail -c +$(($3 + $4 + 1)) "$1"
	} > "$changed"
	compile "$changed" "$2/mutant.o" 2> /dev/null || { echo 'does not compile' && return; }
	cmp -s "$2/mutant.o" "$(object "$1")" && echo 'same code' && return
	link_mutant "$1" "$2" "$2/mutant.o" 2> /dev/null || { echo 'does not link' && return; }
	if reason=$(tests/mutants/check.sh "$2" "$WORK/want" "$WORK/run.tr" "$BINS" 2> /dev/null); then
		reason=$(explanation "$6")
		[[ $reason == equivalent:* ]] && echo equivalent && return
		echo survived
	else
		echo "killed by $reason"
	fi
}

try_one() { # NUMBER
	local at length new what dir=$WORK/mutant-$1
	IFS=$'\t' read -r at length new what < <(sed -n "$1p" "$WORK/changes")
	cp -rl "$WORK/base" "$dir"
	printf '%s\t%s\n' "$(verdict "${what%%:*}" "$dir" "$at" "$length" "$new" "$what")" "$what" \
		> "$WORK/verdicts/$1"
	rm -rf "$dir"
}

case $1 in
--compile)
	compile "$2" "$(object "$2")"
	exit
	;;
--one)
	try_one "$2"
	exit
	;;
esac

WORK=$(cd "$1" && pwd) BINS=$(realpath "$2") seed=$3 count=$4 needed=$5
shift 5
export WORK BINS
rm -rf "$WORK"/{src,base,obj,want,verdicts,changes} "$WORK"/mutant-*
mkdir -p "$WORK"/{src/tests,want,verdicts}
cp -r filters golden "$WORK/src"
cp -r tests/{unit,cli,mutants} "$WORK/src/tests"
"$WORK/mutate" "$seed" "$@" > "$WORK/changes"
cd "$WORK/src"
run=$WORK/src/tests/mutants/run.sh
build
reason=$(tests/mutants/check.sh --record "$WORK/base" "$WORK/want" "$WORK/run.tr" "$BINS") || {
	echo "mutants: without a change fails: $reason" >&2
	exit 2
}

# All that were tried, in order; $1 picks those with such a verdict.
verdicts() {
	for ((i = 1; i < next; i++)); do cat "$WORK/verdicts/$i"; done |
		awk -F '\t' -v want="$1" '$1 ~ want'
}

next=1 tried=0
while ((tried < count)); do
	last=$((next + count - tried - 1))
	if ((last > $(wc -l < "$WORK/changes"))); then
		echo "mutants: there are fewer than $count changes to make" >&2
		exit 2
	fi
	seq "$next" "$last" | xargs -P 2 -n 1 "$run" --one
	next=$((last + 1))
	tried=$(verdicts '^(survived|killed)' | wc -l)
done

verdicts '^survived' | while IFS=$'\t' read -r _ what; do
	echo "$what"
	reason=$(explanation "$what")
	printf '\t%s\n' "${reason:-not explained}"
done
killed=$(verdicts '^killed' | wc -l) equivalent=$(verdicts '^equivalent' | wc -l)
echo "mutants: $killed of $count killed, $equivalent equivalent ones replaced (see tests/mutants/survivors.txt)"
((killed >= needed))
