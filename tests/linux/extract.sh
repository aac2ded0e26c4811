#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records the Linux trace of the goldens again: extract.sh SCENARIO START STOP (triggers
# of soc-sim). Of the binaries it keeps the executed code and the functions around it, as
# text, so that the test needs neither kernel nor programs.
set -euo pipefail
export LC_ALL=C
scenario=$1 start=$2 stop=$3
here=tests/linux bin=${BIN:-build/bin} linux=build/linux golden=golden/linux
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$golden"

"$bin/tr-capture" --no-provenance -l 19 -o "$golden/run.tr" -- "$bin/soc-sim" --no-provenance --ram 64M \
	--start "$start" --stop "$stop" build/target/firmware.elf "$linux/vmlinux" "$linux/$scenario.elf" \
	< /dev/null > "$out/console"
"$bin/tr-match" --bins "$linux/$scenario.lst" "$golden/run.tr" > "$out/matched.tr"
"$bin/tr-text" "$out/matched.tr" > "$out/matched"
"$bin/tr-unwind" "$out/matched.tr" | "$bin/tr-text" > "$out/unwound"
awk -f "$here/hex.awk" -f "$here/code.awk" "$out/matched" | sort -u |
	awk -f "$here/hex.awk" -f "$here/merge.awk" > "$out/code"

while read -r path role; do
	name=$(basename "$path" .elf)
	grep -q "^code $name " "$out/code" || continue
	path=$linux/$path
	echo "binary $name $role $(riscv64-unknown-elf-readelf -h "$path" | awk '/Entry point/ { print $NF }')"
	awk -v name="$name" '$2 == name { print "base", name, substr($3, 1, 13) "000"; exit }' "$out/code"
	riscv64-unknown-elf-nm -nS "$path" |
		awk -v binary="$name" -f "$here/hex.awk" -f "$here/functions.awk" "$out/unwound" - "$out/code"
	grep "^code $name " "$out/code"
done < "$linux/$scenario.lst" > "$golden/images.txt"
