#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo` in a clean clone of what is committed, as in the README.
set -euo pipefail
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone -q "$root" "$work/clone"
cd "$work/clone"
begin=$SECONDS
make -s -j"$(nproc)" demo > "$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
for picture in joined classes; do
	grep -q '<svg' build/demo/$picture.svg || { echo "demo: no $picture.svg"; exit 1; }
done
[ "$(git status --porcelain)" = "" ] || { git status --short; echo 'demo: files outside build'; exit 1; }
echo "demo: from a clean clone to the flame graphs in $((SECONDS - begin)) s"
