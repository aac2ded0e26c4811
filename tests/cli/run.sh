#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the command-line tests: tests/cli/NAME.sh, each in a fresh folder, against
# golden/cli/NAME.stdout, NAME.stderr (empty if there is no such file) and NAME.exit (0 if
# there is no such file). The programs come from BIN. Each file of tests/cli is a test, unless
# is_other() names it.
#
#   BIN=build/bin tests/cli/run.sh [--update] [NAME...]
#
# --update rewrites the expected files of the named tests, and shows the changes.
set -eu -o pipefail

SRC=$(cd "$(dirname "$0")/../.." && pwd)
BIN=$(cd "${BIN:-$SRC/build/bin}" && pwd)
export SRC BIN LC_ALL=C
golden=$SRC/golden/cli
limit=300 # seconds per test: some take a minute under sanitizers
shopt -s nullglob

# Files that are not tests: this one, the makefile, data, and what tests include.
is_other() { # FILE
	[[ $1 == run.sh || $1 == cli.mk || $1 == data || $1 == *.inc ]]
}

needs_cores() { # FILE
	grep -q '^# Needs soc-sim-ooo' "$1"
}

# Fails if a file of tests/cli is neither a test nor known, or an expected file belongs to no
# test: such a test would never run.
check_files() {
	local file others=0
	for file in "$SRC"/tests/cli/*; do
		[[ $file == *.sh ]] || is_other "$(basename "$file")" ||
			{ echo "run.sh: ${file#"$SRC/"}: not a test" >&2; others=1; }
	done
	for file in "$golden"/*; do
		[ -e "$SRC/tests/cli/$(basename "${file%.*}").sh" ] ||
			{ echo "run.sh: ${file#"$SRC/"}: there is no such test" >&2; others=1; }
	done
	return $others
}

# Leaves stdout, stderr and exit of test $1 in $RESULTS.
run_one() {
	local name=$1 status=0 dir
	dir=$(mktemp -d -p "$RESULTS")
	(
		cd "$dir"
		export PATH=$BIN:$PATH XDG_CACHE_HOME=$RESULTS/$name.cache
		exec timeout "$limit" bash "$SRC/tests/cli/$name.sh"
	) > "$RESULTS/$name.stdout" 2> "$RESULTS/$name.stderr" < /dev/null || status=$?
	echo "$status" > "$RESULTS/$name.exit"
	rm -rf "$dir"
}

# Prints the expected contents of file $1, or the text $2 if there is no such file.
expected() {
	if [ -e "$golden/$1" ]; then cat "$golden/$1"; else printf '%s' "$2"; fi
}

compare_one() {
	local name=$1 same=0
	diff -u --label "$name.exit" --label got <(expected "$name.exit" $'0\n') \
		"$RESULTS/$name.exit" || same=1
	local part
	for part in stdout stderr; do
		diff -u --label "$name.$part" --label got <(expected "$name.$part" '') \
			"$RESULTS/$name.$part" || same=1
	done
	return $same
}

update_one() {
	local name=$1 part
	compare_one "$name" || true
	for part in stdout stderr exit; do
		if [ -s "$RESULTS/$name.$part" ] && [ "$part $(cat "$RESULTS/$name.$part")" != "exit 0" ]; then
			cp "$RESULTS/$name.$part" "$golden/$name.$part"
		else
			rm -f "$golden/$name.$part"
		fi
	done
}

if [ "${1-}" = --one ]; then
	run_one "$2"
	exit
fi
update=
if [ "${1-}" = --update ]; then
	update=1
	shift
	if [ -n "${CI-}" ]; then
		echo "run.sh: expected files are not rewritten in CI" >&2
		exit 2
	fi
	[ $# -gt 0 ] || { echo "run.sh: --update needs the names of tests" >&2; exit 2; }
fi

RESULTS=$(mktemp -d)
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
names=("$@")
if [ $# = 0 ]; then
	check_files || exit 2
	mapfile -t names < <(cd "$SRC/tests/cli" && for file in *.sh; do is_other "$file" || needs_cores "$file" || echo "${file%.sh}"; done)
	left_out=$(cd "$SRC/tests/cli" && for file in *.sh; do is_other "$file" || ! needs_cores "$file" || echo "${file%.sh}"; done | paste -sd ' ')
	[ -z "$left_out" ] || echo "cli: left out, for make test-cli-cores: $left_out"
	[ ${#names[@]} != 0 ] || { echo "run.sh: there is no test" >&2; exit 2; }
fi
for name in "${names[@]}"; do
	[ -e "$SRC/tests/cli/$name.sh" ] || { echo "run.sh: no test $name" >&2; exit 2; }
done
printf '%s\n' "${names[@]}" | xargs -P 2 -I '{}' bash "$0" --one '{}'

passed=0 failed=0
for name in "${names[@]}"; do
	if [ -n "$update" ]; then
		update_one "$name"
	elif output=$(compare_one "$name"); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'cli: %s failed\n%s\n' "$name" "$output"
	fi
done
[ -n "$update" ] && exit
echo "cli: $passed passed, $failed failed"
[ "$failed" = 0 ]
