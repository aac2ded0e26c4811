#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the bases that tr-match solves with those in /proc/self/maps of the target:
#
#     bases.sh SEEDS FIRMWARE FOLDER
#
# FOLDER is that of `make linux-gc`. Each seed gives the programs and libraries other
# addresses. All files with a program header are candidates (--sysroot).
set -euo pipefail
export LC_ALL=C
seeds=$1 firmware=$2 folder=$3
bin=${BIN:-build/bin} here=tests/truth
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%s firmware\n%s kernel\n' "$(realpath "$firmware")" "$(realpath "$folder/vmlinux")" > "$out/system.lst"

for ((seed = 1; seed <= seeds; seed++)); do
	cp "$folder/maps-1.dtb" "$out/soc.dtb"
	fdtput -t x "$out/soc.dtb" /chosen rng-seed \
		243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 082efa98 "$(printf %x "$seed")"
	"$bin/soc-model" --isa rv64gc --ram 64M --dtb "$out/soc.dtb" --initrd "$folder/maps.cpio" \
		--trace "$out/run.tr" "$firmware" "$folder/vmlinux" < /dev/null > "$out/console" 2> "$out/log" ||
		{ cat "$out/log" "$out/console" >&2; exit 1; }
	"$bin/tr-match" -v --bins "$out/system.lst" --sysroot "$folder/root" "$out/run.tr" 2> "$out/match" |
		"$bin/tr-info" > "$out/info"
	tr -d '\r' < "$out/console" | awk -v seed="$seed" -f "$here/bases.awk" - "$out/match" "$out/info" || {
		echo "bases: seed $seed: not as the kernel says" >&2
		exit 1
	}
done | awk -v seeds="$seeds" -f "$here/bases-sum.awk"
