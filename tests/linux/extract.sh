#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records a piece of a Linux trace for the goldens again:
#
#     extract.sh PIECE SIMULATOR_OPTION... -- MATCH_OPTION...
#
# The options of soc-sim, or SIMULATOR, include its triggers and files. Of the binaries found by tr-match
# it keeps the executed code and the functions around it, as text, so that the test needs
# neither kernel nor programs.
set -euo pipefail
export LC_ALL=C
here=tests/linux bin=${BIN:-build/bin} golden=golden/linux/$1
shift
simulator=()
while [ "$1" != -- ]; do
	simulator+=("$1")
	shift
done
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$golden"

"$bin/tr-capture" --no-provenance -l 19 -o "$golden/run.tr" -- "$bin/${SIMULATOR:-soc-sim}" --no-provenance "${simulator[@]}" \
	< /dev/null > "$out/console"
"$bin/tr-match" "$@" "$golden/run.tr" > "$out/matched.tr"
# Hits of the probes in PROBES, by a replay with the options REPLAY, of which only they are kept.
if [ -n "${PROBES:-}" ]; then
	# shellcheck disable=SC2086
	"$bin/tr-replay" --stream --probes "$PROBES" "$out/matched.tr" ${REPLAY:-} | "$bin/tr-text" |
		sed -E '/^(note|memory|state) /d; /^header (bin[.]|pg=)/d' | "$bin/tr-text" --encode -u -o "$out/hits.tr"
	"$bin/tr-capture" --no-provenance -l 19 -o "$golden/run.tr" "$out/hits.tr"
	"$bin/tr-match" "$@" "$golden/run.tr" > "$out/matched.tr"
fi
"$bin/tr-text" "$out/matched.tr" > "$out/matched"
"$bin/tr-unwind" "$out/matched.tr" 2> "$out/log" | "$bin/tr-text" > "$out/unwound"
awk -f "$here/hex.awk" -f "$here/code.awk" "$out/matched" | sort -u |
	awk -f "$here/hex.awk" -f "$here/merge.awk" > "$out/code"

# header N KEY: the value of bin.N or bin.N.KEY
header() {
	sed -n "s/^header bin\.$1$2=//p" "$out/matched"
}
# Symbols of a file, or of its stripped form; the vdso has none at hand.
symbols() {
	[ -z "$2" ] || return 0
	riscv64-linux-gnu-nm -nS "$1" 2> /dev/null | grep . || riscv64-linux-gnu-nm -nSD "$1" | sed 's/@.*//'
}
count=$(grep -c '^header bin\.[0-9]*=' "$out/matched")
for ((n = 0; n < count; n++)); do
	name=$(header "$n" .name)
	grep -qF "code $name " "$out/code" || continue
	echo "binary $name $(header "$n" .role) $(header "$n" .kind) $(header "$n" .entry)"
	awk -v name="$name" '$2 == name { print "base", name, substr($3, 1, 13) "000"; exit }' "$out/code"
	symbols "$(header "$n" '')" "$(header "$n" .part)" |
		awk -v binary="$name" -f "$here/hex.awk" -f "$here/functions.awk" "$out/unwound" - "$out/code"
	grep -F "code $name " "$out/code"
done > "$golden/images.txt"
