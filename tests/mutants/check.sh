#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the fast tests on the programs and unit tests in PROGRAMS. The pipeline's output is
# compared with that in WANT, where --record puts it.
#
#   tests/mutants/check.sh [--record] PROGRAMS WANT RUN.TR BINS.LST
#
# Prints the first test that fails and exits 1; exits 0 without output when all pass.
set -eu -o pipefail
shopt -s nullglob extglob

record=
[ "$1" = --record ] && record=1 && shift
programs=$1 want=$2 trace=$3 bins=$4
source=$(cd "$(dirname "$0")/../.." && pwd)
limit=200 # seconds per test: a deadlock must end, even on a busy machine
work=$programs/work
rm -rf "$work" # contains hard links: do not write to them
mkdir "$work"
export PATH=$programs:$PATH LC_ALL=C XDG_CACHE_HOME=$want/cache
options=hard_rss_limit_mb=1500:exitcode=99 # unwind-task-names needs 1000
export ASAN_OPTIONS=$options
trouble=$options:detect_leaks=0 # a program that fails need not free its memory
ulimit -f 400000 -c 0 # KiB per file: a loop must not fill the disk
ulimit -t 180 # CPU seconds per process: page faults of stream-endless can take 80

fail() {
	echo "$1"
	exit 1
}

units() { # PATH...
	local path name
	for path; do
		name=${path##*/}
		# With a limit the sanitizer starts a thread, whose allocation fails as
		# well.
		[[ $name == *-memory ]] && ASAN_OPTIONS=exitcode=99
		timeout "$limit" "$path" > /dev/null 2> "$work/stderr" || fail "unit $name"
		ASAN_OPTIONS=$options
	done
}

# Writes every part of the output to $work/PART.
pipeline() {
	cd "$work"
	timeout "$limit" tr-match -u -v --no-provenance --bins "$bins" "$trace" > matched.tr \
		2> match.stderr || fail 'tr-match'
	timeout "$limit" tr-unwind -u -v --no-provenance matched.tr > stacks.tr \
		2> unwind.stderr || fail 'tr-unwind'
	timeout "$limit" tr-unwind -u --lines --inline --no-provenance matched.tr > lines.tr 2> /dev/null ||
		fail 'tr-unwind --lines --inline'
	timeout "$limit" tr-fold lines.tr > lines || fail 'tr-fold of lines'
	timeout "$limit" tr-fold stacks.tr > folded || fail 'tr-fold'
	timeout "$limit" tr-report functions stacks.tr > table || fail 'tr-report functions'
	timeout "$limit" tr-info matched.tr > matched.info || fail 'tr-info of a match'
	timeout "$limit" tr-info stacks.tr > stacks.info || fail 'tr-info of stacks'
	local part
	for part in match.stderr unwind.stderr folded lines table matched.info stacks.info; do
		if [ -n "$record" ]; then
			cp "$part" "$want/$part"
		else
			cmp -s "$part" "$want/$part" || fail "pipeline $part"
		fi
	done
}

# The same streams with two threads and through zstd, by the same programs.
variants() {
	cd "$work"
	timeout "$limit" tr-match -@2 --no-provenance --bins "$bins" "$trace" 2> /dev/null |
		cmp -s - matched.tr || fail 'tr-match -@2'
	timeout "$limit" tr-match -@2 --no-provenance -o packed.tr --bins "$bins" "$trace" ||
		fail 'tr-match -o'
	zstd -dcq packed.tr 2> /dev/null | cmp -s - matched.tr || fail 'tr-match -o'
	timeout "$limit" tr-unwind -@2 --no-provenance packed.tr 2> /dev/null |
		cmp -s - stacks.tr || fail 'tr-unwind -@2'
	timeout "$limit" tr-unwind --no-provenance packed.tr 2> /dev/null |
		cmp -s - stacks.tr || fail 'tr-unwind of zstd'
}

# Checks for exit status 2 and one line, whatever the error.
refused() {
	local status=0
	ASAN_OPTIONS=$trouble timeout "$limit" "$@" > /dev/null 2> stderr || status=$?
	if [ "$status" != 2 ] || [ "$(wc -l < stderr)" != 1 ]; then
		fail "damaged input of $1"
	fi
}

damaged() {
	cd "$work"
	local size
	size=$(stat -c %s matched.tr)
	head -c $((size - 100)) matched.tr > short.tr
	cp matched.tr flipped.tr
	printf '\x55' | dd of=flipped.tr bs=1 seek=$((size / 2)) conv=notrunc status=none
	cmp -s matched.tr flipped.tr &&
		printf '\xaa' | dd of=flipped.tr bs=1 seek=$((size / 2)) conv=notrunc status=none
	refused tr-match --bins "$bins" short.tr
	refused tr-match --bins "$bins" flipped.tr
	refused tr-unwind short.tr
	refused tr-unwind flipped.tr
}

# Omits those that try every byte of a stream: the unit test stream-damage does so faster.
cli() {
	local names=() path
	for path in "$source"/tests/cli/tr-@(capture|match|unwind|text|split)*.sh; do
		path=${path##*/}
		[[ $path == *-@(everywhere|damaged|many|endless-line).sh ]] && continue
		names+=("${path%.sh}")
	done
	ASAN_OPTIONS=$trouble BIN=$programs "$source/tests/cli/run.sh" "${names[@]}" > "$work/cli" 2>&1 ||
		fail "$(sed -n '/ failed$/{s/://;s/ failed//;p;q}' "$work/cli")"
}

# The slowest come last, because they take seconds each.
slow=(unwind-threads unwind-odd unwind-unknown stream-damage stream-endless stream-tokens match-forgetting)
mapfile -t quick < <(printf '%s\n' "$programs"/unit/* | grep -v -e -memory "${slow[@]/#/-e/}")
units "${quick[@]}"
pipeline
variants
damaged
cli
units "$programs"/unit/*-memory "${slow[@]/#/$programs/unit/}"
