#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes COUNT mutants of FILE... of tr-replay and counts those that replays notice, of good
# traces and of damaged ones; exits 1 if there are fewer than KILLED. A change does not count,
# and another is drawn, as in run.sh.
#
#   CC=... CPPFLAGS=... LDLIBS=... OBJECTS=... MAINS=... tests/mutants/run-replay.sh WORK BIN SEED COUNT KILLED FILE...
#
# WORK contains the program `mutate`, and NAME.tr with NAME.args, the other arguments of
# tr-replay; BIN the programs. MAINS are the objects of tr-replay and of places, with those of
# main(), and OBJECTS the others and the libraries.
# WORK/verdicts has the verdict on each mutant.
set -eu -o pipefail
shopt -s nullglob
export LC_ALL=C
# shellcheck source=tests/mutants/draw.sh
. "$(dirname "$0")/draw.sh"

# Only the changed file is checked as it runs; leaks are found wherever they are. Traps instead
# of messages, as in run.sh.
FLAGS="-std=c11 -O1 -fsanitize=address,undefined -fsanitize-undefined-trap-on-error"

compile() { # SOURCE OBJECT, from standard input
	# shellcheck disable=SC2086 # flags are words
	$CC $CPPFLAGS -I"$(dirname "$1")" $FLAGS -w -c -o "$2" -x c -
}

link_mutant() { # FILE DIRECTORY
	local main object objects=()
	for object in $OBJECTS; do
		[[ $object == */obj/${1%.c}.o ]] || objects+=("$object")
	done
	# The changed object comes first, so that no archive supplies the unchanged one.
	for main in $MAINS; do
		# shellcheck disable=SC2086
		$CC $FLAGS -o "$2/bin/$(basename "$main" .o)" "$2/mutant.o" "$main" "${objects[@]}" $LDLIBS
	done
}

mutant() { # DIRECTORY
	mkdir -p "$1/bin" "$1/said" "$1/work"
	ln -s "$BIN"/* "$1/bin"
	rm "$1/bin/tr-replay"
}

# replays BIN OUT: what tr-replay says of each trace, small ones first, which is compared with
# WORK/want unless that is OUT. Prints the first that differs.
replays() {
	local args name trace
	while IFS= read -r trace; do
		name=$(basename "$trace" .tr)
		read -r -a args < "$WORK/${name%%,*}.args"
		{ timeout 60 "$1/tr-replay" "$trace" "${args[@]}" 2>&1 || echo "status $?"; } |
			sed 's,.*/\([^/]*.tr: \),\1,' > "$2/$name"
		[ "$2" = "$WORK/want" ] || cmp -s "$2/$name" "$WORK/want/$name" || { echo "$name"; return 1; }
	done < <(ls -Sr "$WORK"/*.tr)
}

goes() { # DIRECTORY INSTRUCTIONS TRACE PROGRAM...
	"$1/bin/places" "$2" "build/places/$3-frames.tr" "${@:4}" > /dev/null 2>&1 || { echo "places of $3"; return 1; }
}

check() { # DIRECTORY
	local test programs
	ulimit -t 60 -c 0 -f 200000
	replays "$1/bin" "$1/said" || return 1
	for test in old-code old-translation; do
		programs=(build/replay/$test{,-harts}.elf)
		[ $test = old-code ] || programs+=(build/replay/old-walk-harts.elf)
		REPLAY_WORK=$1/work tests/replay/$test.sh "$1/bin" "${programs[@]}" > /dev/null 2>&1 ||
			{ echo $test.sh; return 1; }
	done
	goes "$1" 4000 hello build/target/{firmware,hello}.elf && goes "$1" 1000 ipi build/smp/ipi.elf || return 1
	for test in old-code old-translation; do
		goes "$1" 1000 "$test-harts" "build/replay/$test-harts.elf" && goes "$1" 1 "$test" "build/replay/$test.elf" ||
			return 1
	done
	for test in tests/cli/tr-replay*.sh; do
		test=$(basename "$test" .sh)
		BIN=$1/bin tests/cli/run.sh "$test" > /dev/null 2>&1 || { echo "$test"; return 1; }
	done
}

verdict() { verdict_of_object "$@"; }

# Not all damage can be encoded: the cycles of frames may not fit any more.
encode() { # TRACE
	"$BIN/tr-text" --encode -o "$1" 2> /dev/null || rm -f "$1"
}

# Copies of the traces without one event of each kind, with a frame before each of the first
# events, and these with another value in one of each kind: more by 1 if it was even, else less;
# or with sp and tp confused.
damage() {
	local event nth trace kinds='mmio-load csr-read atomic registers device-write satp reg xret trap'
	for trace in "$WORK"/*.tr; do
		[[ $trace == *,*.tr ]] && rm "$trace"
	done
	for trace in "$WORK"/*.tr; do
		[[ $trace != *,* ]] || continue
		"$BIN/tr-text" "$trace" > "$WORK/text"
		for event in $kinds row; do
			for nth in 2 30; do
				awk -v event="$event" -v nth="$nth" '/^end (instructions|cycles)/ || ($1 == event && ++n == nth) { next } { print }
					END { exit n < nth }' "$WORK/text" > "$WORK/less" || continue
				encode "${trace%.tr},$event-$nth.tr" < "$WORK/less"
			done
		done
		awk '/^(satp|reg|xret|trap|mmio-load|csr-read|registers|device-write)/ && !/token=/ && ++n < 400 { print "frame" } { print }' \
			"$WORK/text" > "$WORK/frames"
		encode "${trace%.tr},frames.tr" < "$WORK/frames"
		for event in $kinds; do
			for nth in 2 3 30 31; do
				awk -v event="$event" -v nth="$nth" '$1 == event && ++n == nth {
						if (!sub(/priv=M$/, "priv=S") && match($0, /.*0x[0-9a-f]*/)) {
							digit = index("1032547698badcfe", substr($0, RLENGTH, 1)) - 1
							$0 = substr($0, 1, RLENGTH - 1) sprintf("%x", digit) substr($0, RLENGTH + 1)
						}
					}
					{ print }
					END { exit n < nth }' "$WORK/frames" > "$WORK/less" || continue
				encode "${trace%.tr},$event-$nth-changed.tr" < "$WORK/less"
			done
		done
		for reg in x2 x4; do
			sed "0,/^reg $reg /s//reg x$((6 - ${reg#x})) /" "$WORK/frames" > "$WORK/less"
			cmp -s "$WORK/less" "$WORK/frames" || encode "${trace%.tr},$reg.tr" < "$WORK/less"
		done
	done
	rm -f "$WORK"/{text,frames,less}
}

if [ "$1" = --one ]; then
	try_one "$2"
	exit
fi

WORK=$(cd "$1" && pwd) BIN=$(cd "$2" && pwd) seed=$3 count=$4 needed=$5
shift 5
export WORK BIN
rm -rf "$WORK"/{unchanged,want,verdicts,changes} "$WORK"/mutant-*
mkdir -p "$WORK"/{want,verdicts}
"$WORK/mutate" "$seed" "$@" > "$WORK/changes"
damage
replays "$BIN" "$WORK/want"
mutant "$WORK/unchanged"
compile "$1" "$WORK/unchanged/mutant.o" < "$1"
link_mutant "$1" "$WORK/unchanged"
reason=$(check "$WORK/unchanged") || {
	echo "mutants: without a change $reason fails" >&2
	exit 1
}
draw "$0" "$count" "$needed"
