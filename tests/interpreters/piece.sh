#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records golden/linux/lua again: piece.lua from the first entry of the interpreter to its last end.
#
#   BIN=build/bin tests/interpreters/piece.sh build/interpreters/lua
name=piece
program=$(realpath "$1")
. "$(dirname "$0")/interpreters.inc"
cd "$folder"
mkdir -p root
cp "$here/piece.lua" root/
cp "$program" lua
profile profile --root root ./lua /piece.lua
tr-match --bins profile/bins.lst profile/trace.tr |
	tr-replay --probe 'enter: lua:luaV_execute { } leave: lua:luaV_execute:return { }' - --resume profile/start.checkpoint > calls
first=$(head -n 1 calls | cut -d' ' -f 1)
last=$(tail -n 1 calls | cut -d' ' -f 1)
cd "$source"
PROBES=lua.probes REPLAY="--resume $folder/profile/start.checkpoint" SIMULATOR=soc-model \
	tests/linux/extract.sh lua --resume "$folder/profile/start.checkpoint" --start "cycle=$((first - 100))" --stop "cycle=$((last + 100))" \
	-- --bins "$folder/profile/bins.lst"
