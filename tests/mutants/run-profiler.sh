#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes COUNT mutants of FILE... of prof-extract and of the stubs, and counts those that
# random functions (tests/profiler/run.sh) or else UNITS notice; exits 1 if there are fewer than
# KILLED. A change does not count, and another is drawn, as in run.sh.
#
#   CC=... CPPFLAGS=... LDLIBS=... EXTRACT_OBJECTS=... CHECK_OBJECTS=... UNITS=... UNIT_OBJECTS=... \
#       tests/mutants/run-profiler.sh WORK BIN SEED COUNT KILLED FILE...
#
# WORK contains the program `mutate`, BIN random-functions. The objects are those of
# prof-extract, of check-stubs and of each unit test of the objects UNITS, with the libraries.
# WORK/verdicts has the verdict on each mutant.
set -eu -o pipefail
export LC_ALL=C
# shellcheck source=tests/mutants/draw.sh
. "$(dirname "$0")/draw.sh"

FLAGS="-std=c11 -O1 -fsanitize=address,undefined -fsanitize-undefined-trap-on-error"

compile() { # SOURCE OBJECT, from standard input
	# shellcheck disable=SC2086 # flags are words
	$CC $CPPFLAGS -I"$(dirname "$1")" $FLAGS -w -c -o "$2" -x c -
}

# Links a program with the changed object, if the file is one of it. The changed object comes
# first, so that no archive supplies the unchanged one.
link_with() { # FILE DIRECTORY PROGRAM OBJECT...
	local object objects=()
	[[ $1 != filters/lib/* ]] || objects=("$2/mutant.o")
	for object in "${@:4}"; do
		[[ $object == */obj/${1%.c}.o ]] && object=$2/mutant.o
		objects+=("$object")
	done
	# shellcheck disable=SC2086
	$CC $FLAGS -o "$2/$3" "${objects[@]}" $LDLIBS
}

link_mutant() { # FILE DIRECTORY
	# shellcheck disable=SC2086
	link_with "$1" "$2" prof-extract $EXTRACT_OBJECTS && link_with "$1" "$2" check-stubs $CHECK_OBJECTS || return
	local unit
	for unit in $UNITS; do
		# shellcheck disable=SC2086
		link_with "$1" "$2" "$(basename "$unit" .o)" "$unit" $UNIT_OBJECTS || return
	done
}

mutant() { # FILE DIRECTORY
	# shellcheck disable=SC2086
	link_with "$1" "$2" prof-extract $EXTRACT_OBJECTS && link_with "$1" "$2" check-stubs $CHECK_OBJECTS || return
	local unit
	for unit in $UNITS; do
		# shellcheck disable=SC2086
		link_with "$1" "$2" "$(basename "$unit" .o)" "$unit" $UNIT_OBJECTS || return
	done
}

mutant() { # DIRECTORY
	mkdir -p "$1"
	ln -sf "$BIN/random-functions" "$1"
}

units() { # DIRECTORY
	local unit name
	for unit in $UNITS; do
		name=$(basename "$unit" .o)
		timeout 120 "$1/$name" > /dev/null 2>&1 || { echo "unit $name"; return 1; }
	done
}

check() { # DIRECTORY
	ulimit -t 120 -c 0 -f 200000
	ASAN_OPTIONS=detect_leaks=0 PROGRAMS=$1 EXTRACT=$1/prof-extract PROFILER_TIMEOUT=120 PROFILER_PLACES="2 1" \
		tests/profiler/run.sh "$1/work" 1 10000 > "$1/said" 2>&1 && { units "$1"; return; }
	grep -m 1 -E '^(expect|unpatchable|check-stubs|profiler|prof-extract):' "$1/said" | cut -c 1-60 || echo 'status'
	return 1
}

verdict() { verdict_of_object "$@"; }

if [ "$1" = --one ]; then
	try_one "$2"
	exit
fi

WORK=$(cd "$1" && pwd) BIN=$(cd "$2" && pwd) seed=$3 count=$4 needed=$5
shift 5
export WORK BIN
rm -rf "$WORK"/{unchanged,verdicts,changes} "$WORK"/mutant-*
mkdir -p "$WORK/verdicts"
"$WORK/mutate" "$seed" "$@" > "$WORK/changes"
mutant "$WORK/unchanged"
compile "$1" "$WORK/unchanged/mutant.o" < "$1"
link_mutant "$1" "$WORK/unchanged"
reason=$(check "$WORK/unchanged") || {
	echo "mutants: without a change $reason fails" >&2
	exit 1
}
draw "$0" "$count" "$needed"
