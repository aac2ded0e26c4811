#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs of Debian that `make linux-debian PACKAGES=...` has brought, profiled by tr-profile --linux: what they
# print, their exit status, names of their functions and of those of the C library, and what make
# says about a package that does not exist.
#
#   BIN=build/bin FOLDER=build/linux-debian/trixie/packages-test tests/linux/debian-programs.sh
set -eu -o pipefail
cd "$(dirname "$0")/../.."
BIN=$(cd "$BIN" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work" "$FOLDER"' EXIT
export PATH=$BIN:$PATH XDG_CACHE_HOME=$work/cache LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL
fail() { echo "debian-programs: $1" >&2; exit 1; }
bring() { make --no-print-directory -s linux-debian PACKAGES="$1" DEBIAN_ADDED="$FOLDER"; }

bring 'hello python3-minimal' > "$work/said" 2> "$work/err" || { cat "$work/err" >&2; fail 'make linux-debian'; }
root=$PWD/$FOLDER/root
grep -qx "$FOLDER/root/usr/bin/hello" "$work/said" || fail 'the program is not named'
[ -s "$(find "$FOLDER/usr/lib/debug/.build-id" -name '*.debug' -print -quit)" ] || fail 'no debug information'
[ ! -e "$root/usr/lib/debug" ] || fail 'debug information is in the root of the target'

# run NAME TEXT WORD...: profiles WORD..., which must print TEXT and end with status 0.
run() {
	local name=$1 text=$2
	shift 2
	tr-profile --linux --root "$root" -o "$work/$name" "$@" < /dev/null > "$work/$name.out" 2> "$work/$name.err" ||
		{ cat "$work/$name.err" >&2; fail "$name: exit status $?"; }
	[ "$(cat "$work/$name/console.txt")" = "$text" ] || { cat "$work/$name/console.txt" >&2; fail "$name: other output"; }
	grep -q '^  end *power-off$' "$work/$name/summary.txt" || fail "$name: no end"
}
has() { grep -q -- "$2" "$work/$1/stacks.folded" || fail "$1: no stack $2"; }
run hello 'known answer' "$root/usr/bin/hello" -g 'known answer'
has hello '^hello\[[0-9]*\];hello;.*;__libc_start_call_main;main;'
run python3 4950 --model "$root/usr/bin/python3" -c 'print(sum(range(100)))'
has python3 '^python3\[[0-9]*\];python3;.*;__libc_start_call_main;Py_BytesMain;.*;PyEval_EvalCode;'

# A package that does not exist leaves all as it was; another list replaces it.
for name in no-such-package '-y' 'hello/testing' 'hell.' awk; do
	! bring "hello $name" > /dev/null 2> "$work/err" || fail "$name: no error"
	[ "$(head -n 1 "$work/err")" = "make: Debian's trixie has no package $name for riscv64" ] ||
		{ cat "$work/err" >&2; fail "$name: another message"; }
done
[ -x "$root/usr/bin/python3" ] || fail 'a package that does not exist removed the others'
bring hello > /dev/null
[ -x "$root/usr/bin/hello" ] && [ ! -e "$root/usr/bin/python3" ] || fail 'another list does not replace the first one'
echo 'debian-programs: 2 programs as expected'
