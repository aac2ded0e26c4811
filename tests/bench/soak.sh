#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the whole pipe behind a machine that starts programs for ever, a short and
# a long time: memory must not grow with the run.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
out=build/soak tsv=build/soak.tsv bin=build/bin target=build/target
short=${SHORT:-50M} long=${LONG:-5G}
mkdir -p "$out"

# The pipe over $1 instructions; peak memory of each of its programs to $2.
pipe() {
	rm -f "$2"
	"$bin/peak" "$2" "$bin/tr-capture" --max-instructions "$1" -o - -- \
		"$bin/soc-model" "$target/firmware.elf" "$target/forever.elf" \
		< /dev/null 2> "$out/console" |
		"$bin/peak" "$2" "$bin/tr-match" --bins "$target/bins.lst" |
		"$bin/peak" "$2" "$bin/tr-unwind" |
		"$bin/peak" "$2" "$bin/tr-fold" -v > "$out/folded" 2> "$out/conservation"
	cat "$out/conservation"
	sort -o "$2" "$2"
}

pipe "$short" "$out/short.txt"
pipe "$long" "$out/long.txt"
join "$out/short.txt" "$out/long.txt" | awk '
	BEGIN { OFS = "\t" }
	{
		n = split($1, part, "/")
		growth = 100 * ($3 - $2) / $2
		total += $3
		verdict = growth <= 5 ? "ok" : "short"
		if (growth > 5) failed = 1
		printf "soak_growth_%s\t%.1f\tpercent\t5\t%s\n", part[n], growth, verdict
	}
	END {
		verdict = total / 1024 <= 200 ? "ok" : "short"
		printf "soak_memory\t%.0f\tMiB\t200\t%s\n", total / 1024, verdict
		exit failed || verdict != "ok"
	}' | tee "$tsv"
