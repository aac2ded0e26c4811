#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# counters.sh FOLDER: the counters in the files of shared memory there, as lines "PID INDEX
# COUNT" after a first one. They begin at the second page (prof-files(5)).
set -eu
echo pid index count
for file in "$1"/*.dat; do
	[ -e "$file" ] || continue
	name=${file##*/}
	functions=$(od -An -v -t u4 -j 24 -N 4 "$file")
	od -An -v -t u8 -w8 -j 4096 -N $((functions * 8)) "$file" | awk -v pid="${name%.dat}" '{ print pid + 0, NR - 1, $1 }'
done
