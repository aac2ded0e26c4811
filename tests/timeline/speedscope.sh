#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Imports our files in speedscope, which runs in headless Chromium: profiles, names and
# cycles are those that tr-fold prints.
#
#   tests/timeline/speedscope.sh build/bin INDEX.html
set -eu -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../.." && pwd)
index=$(realpath "$2")
PATH=$(cd "$1" && pwd):$PATH
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# files NAME STREAM: a file for each grouping, and the stacks that it must have. The streams
# are of one hart.
files() {
	local name=$work/$1 stream=$2 by
	for by in thread hart; do
		tr-timeline --format speedscope --by $by --min-cycles 0 --max-depth 0 \
			-o "$name-$by.json" "$stream"
	done
	tr-fold --by thread -o "$name-thread.folded" "$stream"
	tr-fold "$stream" | sed 's/^/hart 0;/' > "$name-hart.folded"
	for by in joined process; do
		tr-fold --format speedscope-sums --by $by -o "$name-sums-$by.json" "$stream"
		tr-fold --by $by -o "$name-sums-$by.folded" "$stream"
	done
}

tr-text --encode -o "$work/machine.tr" "$src/tests/cli/data/machine.txt"
files machine "$work/machine.tr"
# Of longer runs tr-fold leaves out short calls.
tr-fold --format speedscope -o "$work/machine-fold-hart.json" "$work/machine.tr"
tr-fold --format speedscope --by thread -o "$work/machine-fold-thread.json" "$work/machine.tr"
for by in thread hart; do cp "$work/machine-$by.folded" "$work/machine-fold-$by.folded"; done
cd "$src/build/target"
tr-capture --max-cycles 3M -- soc-model firmware.elf demo.elf 2> "$work/said" < /dev/null |
	tr-match --bins bins.lst 2>> "$work/said" | tr-unwind -o "$work/demo.tr" 2>> "$work/said" ||
	{ cat "$work/said" >&2; exit 1; }
files demo "$work/demo.tr"
timeout 600 node "$here/speedscope.js" "$index" "$work"/{machine,demo}-{thread,hart,sums-joined,sums-process} \
	"$work"/machine-fold-{thread,hart}
