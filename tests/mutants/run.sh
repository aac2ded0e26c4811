#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes COUNT mutants of FILE... and counts those that the fast tests detect; exits 1 if
# there are fewer than KILLED. A change does not count, and another is drawn, if it does
# not compile, compiles to the same code, or survives because it has no visible effect
# according to survivors.txt.
#
#   CC=... CPPFLAGS=... LDLIBS=... tests/mutants/run.sh WORK BINS.LST SEED COUNT KILLED FILE...
#
# WORK contains the program `mutate` and the trace run.tr; the model is in ../bin.
# Everything else is built in WORK from a copy of the sources. WORK/verdicts has the
# verdict on each mutant.
set -eu -o pipefail
# shellcheck source=tests/mutants/draw.sh
. "$(dirname "$0")/draw.sh"

# Traps instead of messages, whose texts would change with the column of a change.
FLAGS="-std=c11 -O1 -fPIC -fsanitize=address,undefined -fsanitize-undefined-trap-on-error"
PROGRAMS="tr-capture tr-diff tr-fold tr-info tr-match tr-report tr-split-by-satp tr-text tr-timeline tr-unwind"

# Reads standard input, so that the name of the file is not in the object.
compile() { # SOURCE OBJECT
	# shellcheck disable=SC2086,SC2094 # flags are words
	$CC $CPPFLAGS -I"$(dirname "$1")" $FLAGS -w -c -o "$2" -x c - < "$1"
}

link_library() { # DIRECTORY OBJECT...
	# shellcheck disable=SC2086
	$CC $CPPFLAGS $FLAGS -w -shared -Wl,-soname,libtr.so -o "$1/libtr.so" "${@:2}" build/embedded/*/*.pb-c.c $LDLIBS
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
	printf '%s\n' filters/lib/*/*.c $(printf 'filters/%s.c\n' $PROGRAMS) \
		$(unit_tests | sed 's,.*,tests/unit/&.c,') |
		xargs -P 2 -n 1 "$run" --compile
	# shellcheck disable=SC2046
	link_library "$WORK/base" $(for name in filters/lib/*/*.c; do object "$name"; done)
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

# Links the library, or the program, with the object of the changed file.
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
	link_library "$2" "$3" $(for name in filters/lib/*/*.c; do
		[ "$name" = "$1" ] || object "$name"
	done)
}

mutant() { # DIRECTORY
	cp -rl "$WORK/base" "$1"
}

verdict() { # FILE DIRECTORY AT LENGTH NEW FILE:NUMBER:_OLD_→_NEW
	local changed=$2/mutant.c reason
	changed "$1" "$3" "$4" "$5" > "$changed"
	compile "$changed" "$2/mutant.o" 2> /dev/null || { echo 'does not compile' && return; }
	cmp -s "$2/mutant.o" "$(object "$1")" && echo 'same code' && return
	link_mutant "$1" "$2" "$2/mutant.o" 2> /dev/null || { echo 'does not link' && return; }
	if reason=$(tests/mutants/check.sh "$2" "$WORK/want" "$WORK/run.tr" "$BINS" 2> /dev/null); then
		survival "$6"
	else
		echo "killed by $reason"
	fi
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
cp --parents sim/target/firmware/firmware.ld "$WORK/src"
"$WORK/mutate" "$seed" "$@" > "$WORK/changes"
cd "$WORK/src"
# Files embedded in the sources, and the program and images that the command-line tests
# use.
mkdir build && ln -s "$WORK/../embedded" build/embedded && ln -s "$(dirname "$BINS")" build/target
run=$WORK/src/tests/mutants/run.sh
build
ln -s "$WORK"/../bin/soc-{model,sim} "$WORK/base"
reason=$(tests/mutants/check.sh --record "$WORK/base" "$WORK/want" "$WORK/run.tr" "$BINS") || {
	echo "mutants: without a change fails: $reason" >&2
	exit 2
}

draw "$run" "$count" "$needed"
