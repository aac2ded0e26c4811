#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lua's functions on the stacks: each is called as often as the script counts, and without them
# the stacks are those of a run without probes.
#
#   BIN=build/bin tests/interpreters/lua.sh build/interpreters/lua
name=lua
program=$(realpath "$1")
. "$(dirname "$0")/interpreters.inc"
cd "$folder"
mkdir -p root
cp "$here/calls.lua" root/
cp "$program" lua
profile profile --probes lua.probes --root root ./lua /calls.lua
# The script prints "LINE CALLS"; of line 0 is a chunk without a file.
awk '$1 { print $2, "lua:function (calls.lua:" $1 ")" }' profile/console.txt | sort > want
[ "$(wc -l < want)" -ge 18 ] || fail "counts: $(wc -l < want)"
count=$(awk '$1 == 0 { print } { sum += $2 } END { print sum }' profile/console.txt | tail -n 1)
calls 'lua:function' calls.lua > got
line=$(grep -n '^local function count' "$here/calls.lua" | cut -d: -f 1)
grep -qx "$count lua:function (calls.lua:$line)" got || fail "not $count calls of count: $(grep ":$line)" got)"
grep -v ":$line)" got | diff want - || fail 'other calls'
check_stacks lua
[ "$RUN_ON" != --model ] || check_middle lua
echo "lua: $RUN_ON: $(wc -l < got) functions, $(awk '{ sum += $1 } END { print sum }' got) calls"
