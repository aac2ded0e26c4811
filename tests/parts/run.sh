#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The parts of a small makefile, run by parts.sh: those that fail, or test nothing, must be named
# and fail the whole, and parts must run side by side, except those that want to be alone.
set -euo pipefail
export LC_ALL=C
parts=$(cd "$(dirname "$0")" && pwd)/parts.sh
unset MAKEFLAGS MFLAGS MAKELEVEL MAKE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
fail() { echo "parts: $*"; cat out.txt; exit 1; }

cat > Makefile <<'END'
.PHONY: good bad silent built left right slow alone ready broken
good: ; @echo 'good: 3 passed'
bad: ; @echo 'bad: 1 failed'; exit 1
silent: ; @:
built: ; @echo '  CC     some/file.c'
ready: ; @:
broken: ; @echo 'no compiler'; exit 1
# Each of these waits for the other.
left: ; @mkfifo meet 2> /dev/null || :; timeout 10 sh -c 'echo here > meet' && echo 'left: met'
right: ; @mkfifo meet 2> /dev/null || :; timeout 10 cat meet > /dev/null && echo 'right: met'
# Each fails if the other runs.
slow alone: ; @mkdir busy && sleep 0.3 && rmdir busy && echo '$@: done'
END
# run_parts STATUS ARGUMENTS...: parts.sh must end with this status.
run_parts() {
	local expected=$1 status=0
	shift
	"$parts" "$@" > out.txt 2>&1 || status=$?
	[ $status = "$expected" ] || fail "status $status instead of $expected: $*"
	passed=$((passed + 1))
}
# The table has a row for a target, with this verdict.
row() { grep -qE "^   $1 +[0-9]+\.[0-9] +[0-9]+\.[0-9]  $2\$" out.txt || fail "no row for $1: $2"; }

run_parts 0 1 logs ready -- good --
row ready ok && row good ok
grep -q '^good: 3 passed$' out.txt || fail 'the output is missing'
! grep -q '^failed' out.txt || fail 'something failed'

run_parts 1 2 logs ready -- good bad silent built absent -- good
row good ok && row bad failed && row silent failed && row built failed && row absent failed
[ "$(tail -n 1 out.txt)" = 'failed: bad silent built absent' ] || fail 'not all failed parts are named'
[ "$(grep -c 'no test has run' out.txt)" = 2 ] || fail 'a part that tests nothing does not say so'

run_parts 1 2 logs ready -- good -- bad
[ "$(tail -n 1 out.txt)" = 'failed: bad' ] || fail 'a failure of the last group is lost'
run_parts 1 2 logs broken -- good --
row broken failed && row good ok
grep -q '^no compiler$' out.txt || fail 'the output of the build is missing'

run_parts 0 2 logs ready -- left right --
row left ok && row right ok
run_parts 0 4 logs ready -- slow good -- alone alone
# After a failed build nothing runs side by side.
run_parts 1 4 logs broken -- slow alone --
row slow ok && row alone ok
run_parts 2 2 logs ready -- --
grep -q '^parts.sh: no part to run$' out.txt || fail 'no part is not refused'
echo "parts: $passed runs as expected"
