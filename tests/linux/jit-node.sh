#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Node.js of Debian's packages on tr-profile --linux: without a map the code that it compiles is
# [JIT code]; with what it writes by --perf-basic-prof at least 95 % of that has names.
#
#   BIN=build/bin FOLDER=build/linux-debian/trixie/packages-jit tests/linux/jit-node.sh
set -eu -o pipefail
cd "$(dirname "$0")/../.."
BIN=$(cd "$BIN" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work" "$FOLDER"' EXIT
export PATH=$BIN:$PATH XDG_CACHE_HOME=$work/cache LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL
fail() { echo "jit-node: $1" >&2; exit 1; }
make --no-print-directory -s linux-debian PACKAGES=nodejs DEBIAN_ADDED="$FOLDER" > "$work/said" 2> "$work/err" ||
	{ cat "$work/err" >&2; fail 'make linux-debian'; }
root=$PWD/$FOLDER/root
run() { # NAME OPTION...
	tr-profile --linux --model --root "$root" -o "$work/$1" "${@:2}" "$root/usr/bin/node" --perf-basic-prof - \
		< tests/linux/jit.js > "$work/$1.out" 2> "$work/$1.err" || { status=$?; cat "$work/$1.err" >&2; fail "$1: exit status $status"; }
	[ "$(cat "$work/$1/console.txt")" = '2272915 196418' ] || { cat "$work/$1/console.txt" >&2; fail "$1: other output"; }
}
value() { # NAME KEY
	tr-info "$work/$1/stacks.tr" | awk -v key="$2" '$1 == key { n = $2 } END { print n + 0 }'
}
run plain
run named --jit
ls "$work"/named/perf-*.map > "$work/maps" || fail 'no map'
jit=$(value plain unwind_jit_cycles) all=$(value plain cycles)
unknown=$(value plain unwind_unknown_cycles)
left=$(($(value named unwind_jit_cycles) + $(value named unwind_unknown_cycles) + $(value named unwind_ambiguous_cycles)))
doubted=$(value named unwind_doubted_cycles)
echo "jit-node: $jit of $all cycles are JIT code, $unknown unknown; with the map $left are left without a name, $doubted are in doubt"
[ $((jit * 20)) -gt "$all" ] || fail 'hardly any JIT code'
[ $((unknown * 10000)) -le "$all" ] || fail 'unknown code'
[ $((left * 20)) -le "$jit" ] || fail 'less than 95 % has a name'
# V8 replaces a function or two that run by other versions, with all that they have run so far.
[ $((doubted * 10)) -le "$all" ] || fail 'more than 10 % is in doubt'
tr-report functions "$work/plain/stacks.tr" > "$work/functions"
grep -q '\[JIT code\]' "$work/functions" || fail 'no [JIT code]'
! grep -q 'JS:.*fib' "$work/functions" || fail 'a name without a map'
for name in 'JS:\*fib \[stdin\]' 'JS:\*mandel \[stdin\]\|JS:\* \[stdin\]'; do
	grep -q "perf-[0-9]*\.map *$name" "$work/named/functions.txt" || fail "no $name"
done
grep -q 'JS:.fib [^;]*;JS:.fib ' "$work/named/stacks.folded" || fail 'no recursion of fib'
echo 'jit-node: names as expected'
