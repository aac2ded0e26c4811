#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the whole pipeline behind a machine that starts programs endlessly, for a short and
# for a long time: memory must not grow with the run. soak.sh linux does so with Linux,
# soak.sh replay with a replay in place of the pipeline.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
bin=build/bin tests=build/tests target=build/target short=${SHORT:-50M} long=${LONG:-5G}
case ${1:-supervisor} in
supervisor)
	out=build/soak images="$target/firmware.elf $target/forever.elf" bins=$target/bins.lst
	;;
linux)
	out=build/soak-linux bins=build/linux/forever.lst short=${SHORT:-2G}
	images="--ram 64M $target/firmware.elf build/linux/vmlinux build/linux/forever.elf"
	;;
replay)
	# Until then the cache of decoded code grows, which is bounded.
	out=build/soak-replay images="$target/firmware.elf $target/forever.elf" short=${SHORT:-500M}
	;;
*)
	echo "usage: soak.sh [supervisor|linux|replay]" >&2
	exit 2
	;;
esac
tsv=$out.tsv
mkdir -p "$out"

# Runs the pipeline over $1 instructions; writes the peak memory of each program to $2
# (the machine itself holds the memory that its guest touches).
pipe() {
	rm -f "$2"
	# shellcheck disable=SC2086 # images are words
	"$bin/soc-model" --trace - --max-instructions "$1" $images < /dev/null 2> "$out/console" |
		"$tests/peak" "$2" "$bin/tr-capture" |
		"$tests/peak" "$2" "$bin/tr-match" --bins "$bins" |
		"$tests/peak" "$2" "$bin/tr-unwind" |
		"$tests/peak" "$2" "$bin/tr-fold" -v > "$out/folded" 2> "$out/conservation"
	cat "$out/conservation"
	sort -o "$2" "$2"
}

replay() {
	rm -f "$2"
	# shellcheck disable=SC2086 # images are words
	"$bin/soc-model" --trace - --max-instructions "$1" $images < /dev/null 2> "$out/console" |
		"$tests/peak" "$2" "$bin/tr-replay" - $images
}

run=pipe
[ "${1:-}" != replay ] || run=replay
$run "$short" "$out/short.txt"
$run "$long" "$out/long.txt"
join "$out/short.txt" "$out/long.txt" | awk '
	BEGIN { OFS = "\t" }
	{
		n = split($1, part, "/")
		print "soak_memory_" part[n], sprintf("%.1f", $3 / 1024), "MiB", "-", "ok"
		before += $2
		after += $3
	}
	END {
		growth = 100 * (after - before) / before
		small = after / 1024 <= 200
		print "soak_memory", sprintf("%.1f", after / 1024), "MiB", 200, small ? "ok" : "short"
		print "soak_growth", sprintf("%.1f", growth), "percent", 5, growth <= 5 ? "ok" : "short"
		exit !small || growth > 5
	}' | tee "$tsv"
