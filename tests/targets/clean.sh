#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make -n` of each documented target in a clean clone, without network: no target depends on a
# file that nothing makes.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL PREPARE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q "$root" "$work/clone"
cd "$work/clone"
alone=()
! unshare -rn true 2> /dev/null || alone=(unshare -rn)
passed=0 failed=
for target in $(make help | sed -n 's/^  \([a-z0-9.-]*\) .*/\1/p'); do
	# These run parts of their own, with as many makes.
	case $target in test | nightly) continue ;; esac
	if timeout 600 "${alone[@]}" make -n "$target" > "$work/log" 2>&1 < /dev/null; then
		passed=$((passed + 1))
	else
		echo "make -n $target:"
		tail -n 3 "$work/log"
		failed+=" $target"
	fi
done
[ $passed -gt 100 ] && [ -z "$failed" ] || { echo "targets: $passed can start, not:$failed"; exit 1; }
echo "targets: make -n of $passed in a clean clone"
