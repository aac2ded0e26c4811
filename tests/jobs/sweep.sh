#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweep.sh BIN TARGET BENCHMARK: `make sweep` of a benchmark. The cycles of its table are those that
# the simulator itself says, its classes add up to CPI, and only new points are run.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
bin=$1 target=$2 program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
fail() { echo "sweep: $*"; exit 1; }
sweep() { make -s --no-print-directory sweep SWEEP="$work" PROGRAM="$program" "$@" > "$work/said" 2>&1; }
ran() { # LINE
	grep -qxF "$1" "$work/said" || fail "not \"$1\", but: $(cat "$work/said")"
	checked=$((checked + 1))
}

sweep PARAM='l2-latency=10,20 dram-latency=80,110' || fail "$(cat "$work/said")"
ran 'jobs: 4 of 4 run, 0 of them again'
[ "$(cut -d , -f 1,2 "$work/sweep.csv" | tr '\n' ' ')" = 'l2-latency,dram-latency 10,80 10,110 20,80 20,110 ' ] ||
	fail "the points are $(cut -d , -f 1,2 "$work/sweep.csv")"
for point in 10,80 20,110; do
	"$bin/soc-sim" --l2-latency "${point%,*}" --dram-latency "${point#*,}" --start "pc=$target/benchmarks/$program.elf:benchmark" \
		--stop "pc=$target/benchmarks/$program.elf:benchmark_end" --trace "$work/run.tr" \
		"$target/firmware.elf" "$target/benchmarks/$program-image.elf" > /dev/null 2>&1 < /dev/null
	"$bin/tr-text" "$work/run.tr" | sed -n 's/^end cycles=//p; s/^end instructions=//p' | sort -nr | paste -sd , > "$work/end"
	grep '^[0-9]*,[0-9]*$' "$work/end" > /dev/null || fail 'no totals of the run'
	[ "$(awk -F , -v point=$point '$1 "," $2 == point { print $3 "," $5 }' "$work/sweep.csv")" = "$(cat "$work/end")" ] ||
		fail "$point: cycles and instructions are not $(cat "$work/end"): $(cat "$work/sweep.csv")"
	checked=$((checked + 1))
done
awk -F , 'NR > 1 { sum = 0; for (i = 7; i <= 12; i++) sum += $i
	if (sum - $6 > 0.0005 || $6 - sum > 0.0005 || $6 - $3 / $5 > 0.0001 || $3 / $5 - $6 > 0.0001) { print; wrong = 1 }
	if (NR > 2 && $1 == 20 && $10 <= memory[10, $2]) { print "memory costs less than at 10: " $0; wrong = 1 }
	memory[$1, $2] = $10 } END { exit wrong }' "$work/sweep.csv" || fail 'classes do not add up to CPI, or are wrong'
checked=$((checked + 1))
grep -q ' all$' "$work/diff.txt" || fail 'no differences'
grep -q '<svg' "$work/diff.svg" || fail 'no picture'
grep -q '<svg' "$work/l2-latency-10+dram-latency-110.svg" || fail 'no picture of a point'

cp "$work/sweep.csv" "$work/before.csv"
sweep PARAM='l2-latency=10,20 dram-latency=80,110' || fail "$(cat "$work/said")"
ran 'jobs: 0 of 4 run, 0 of them again'
cmp "$work/before.csv" "$work/sweep.csv" || fail 'another table'
sweep PARAM='l2-latency=10,14,20 dram-latency=80' || fail "$(cat "$work/said")"
ran 'jobs: 1 of 3 run, 0 of them again'
grep -q '^14,80,' "$work/sweep.csv" && [ "$(wc -l < "$work/sweep.csv")" = 4 ] || fail "$(cat "$work/sweep.csv")"

! sweep PARAM=l2-latency || fail 'an option without a value'
ran "make: sweep: PARAM=l2-latency: not an option of soc-sim and its values, as in PARAM=l2-latency=10,14,20"
! sweep PARAM=l3-latency=4 || fail 'an option that does not exist'
grep -q "^run-jobs: $work/l3-latency-4.stacks.tr: no result after 3 tries: soc-sim: unrecognized option '--l3-latency' (see " "$work/said" ||
	fail "$(cat "$work/said")"
echo "sweep: $((checked + 2)) checks"
