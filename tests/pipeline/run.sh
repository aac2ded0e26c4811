#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole pipeline on real runs: the golden profile of hello; identical bytes by pipe,
# by files and with threads; all cycles charged once. With "golden" it rewrites the golden
# profile and shows the difference.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit
bin=${BIN:-build/bin} target=build/target
out=$(mktemp -d)
mkdir "$out/programs"
trap 'rm -rf "$out"' EXIT
passed=0 failed=0

check() {
	if eval "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "pipeline: $1: failed"; fi
}

capture() {
	"$bin/tr-capture" -o "$out/$1.tr" -- "$bin/soc-model" "$target/firmware.elf" \
		"$target/$1.elf" < /dev/null > "$out/$1.console" 2> "$out/$1.messages"
}

# By one pipe, by files, and with two threads at every stage.
three_ways() {
	"$bin/tr-match" --bins "$target/bins.lst" "$out/$1.tr" | "$bin/tr-unwind" |
		"$bin/tr-fold" > "$out/$1.pipe" || return 1
	"$bin/tr-match" --bins "$target/bins.lst" -o "$out/$1.m.tr" "$out/$1.tr" &&
		"$bin/tr-unwind" -o "$out/$1.u.tr" "$out/$1.m.tr" &&
		"$bin/tr-fold" -o "$out/$1.files" "$out/$1.u.tr" || return 1
	"$bin/tr-match" -@2 --no-provenance --bins "$target/bins.lst" -o "$out/$1.m2.tr" "$out/$1.tr" &&
		"$bin/tr-unwind" -@2 --no-provenance -o "$out/$1.u2.tr" "$out/$1.m2.tr" &&
		"$bin/tr-fold" -@2 -o "$out/$1.threads" "$out/$1.u2.tr" || return 1
	"$bin/tr-match" --no-provenance --bins "$target/bins.lst" -o "$out/$1.m1.tr" "$out/$1.tr" &&
		"$bin/tr-unwind" --no-provenance -o "$out/$1.u1.tr" "$out/$1.m1.tr"
}

# Compares calls with executed entries, for a binary that runs alone in its privilege.
calls() { # BINARY PRIVILEGE [LOW HIGH]
	riscv64-unknown-elf-nm -nS "$target/$1.elf" | awk -v binary="$1" -v priv="$2" -v low="${3-}" -v high="${4-}" \
		-f tests/pipeline/calls.awk - "$out/hello.table" "$out/hello.tokens"
}

# Compares the cycles that threads were away, by calls and by stacks, of all functions whose names
# are unique.
away() {
	local name assertions=()
	"$bin/tr-fold" --off-cpu -o "$out/$1.off" "$out/$1.u.tr" 2> "$out/$1.off.note"
	while read -r name; do
		assertions+=(--assert "$name.away >= 0")
	done < <("$bin/tr-report" functions --format csv "$out/$1.u.tr" |
		awk -F , '$1 + 0 { count[$12]++ } END { for (name in count) if (count[name] == 1) print name }')
	"$bin/tr-report" functions --format csv "${assertions[@]}" -o "$out/$1.assertions" "$out/$1.u.tr"
	awk -v at_least=500 -f tests/pipeline/away.awk "$out/$1.off" "$out/$1.assertions"
}

# The flame graph of the README: hello_world on the hardware.
picture() {
	"$bin/tr-capture" -o "$out/hardware.tr" -- "$bin/soc-sim" "$target/firmware.elf" \
		"$target/hello.elf" < /dev/null > "$out/hardware.console" 2>&1 || return 1
	"$bin/tr-match" --bins "$target/bins.lst" "$out/hardware.tr" | "$bin/tr-unwind" |
		"$bin/tr-fold" --by program --svg "$out/unused.svg" -d "$out/programs"
}

# Prints the value of a key of the end record.
said() { "$bin/tr-info" "$1" | awk -v key="$2" '$1 == key { print $2; exit }'; }

for run in hello demo; do
	check "$run runs" "capture $run"
	check "$run goes through" "three_ways $run"
	check "$run: files as pipe" 'cmp "$out/$run.pipe" "$out/$run.files"'
	check "$run: threads as pipe" 'cmp "$out/$run.pipe" "$out/$run.threads"'
	check "$run: the same matched bytes with threads" 'cmp "$out/$run.m1.tr" "$out/$run.m2.tr"'
	check "$run: the same unwound bytes with threads" 'cmp "$out/$run.u1.tr" "$out/$run.u2.tr"'
	check "$run: every cycle is charged" \
		'"$bin/tr-fold" -v "$out/$run.u.tr" 2>&1 >/dev/null | grep "100.000 % of .* 0 lost, 0 in unknown code, 0 ambiguous" > /dev/null'
	total=$(awk '{ n += $NF } END { print n }' "$out/$run.pipe")
	check "$run: the profile adds up" '[ "$total" = "$(said "$out/$run.tr" cycles)" ]'
	check "$run: no return is unmatched" '[ "$(said "$out/$run.u.tr" unwind_unmatched)" = 0 ]'
done
check "hello: the samples of perf script are the stacks" \
	'"$bin/tr-text" --perf-script --clock 1G "$out/hello.u.tr" | awk -f tests/cli/data/perf-collapse.awk | sort |
		cmp - <(sort "$out/hello.pipe")'
"$bin/tr-report" functions -o "$out/hello.table" "$out/hello.u.tr"
"$bin/tr-text" --tokens "$out/hello.m.tr" > "$out/hello.tokens"
check "hello: calls of the firmware are its entries" 'calls firmware M'
check "hello: calls of the kernel are its entries" 'calls supervisor S 0000000080200000 ffffffff80200000'
check "hello: calls of hello_world are its entries" 'calls hello_world U'
check "demo: threads are away as long as their calls" 'away demo'
check "the console of hello" 'diff -u golden/pipeline/hello.console "$out/hello.console"'
check "hello runs on the hardware" picture
if [ "${1:-}" = golden ]; then
	cp "$out/programs/hello_world.svg" golden/pipeline/
	diff -u golden/pipeline/hello.folded "$out/hello.pipe"
	cp "$out/hello.pipe" golden/pipeline/hello.folded
	cp "$out/hello.console" golden/pipeline/hello.console
fi
check "the profile of hello" 'diff -u golden/pipeline/hello.folded "$out/hello.pipe"'
check "the flame graph of the README" 'cmp golden/pipeline/hello_world.svg "$out/programs/hello_world.svg"'

# A second program in the satp of the first: distinguished by rule.
check "a satp is used again" \
	'[ "$("$bin/tr-text" "$out/demo.m.tr" | awk "\$1 == \"satp\" { satp = \$2 } \$1 == \"space\" { print satp }" | sort | uniq -d | wc -l)" -gt 0 ]'
for program in hello_world shared_a shared_b recursion save_restore; do
	check "$program is found after an exit" 'grep -q "^$program;_start;main" "$out/demo.pipe"'
done

echo "pipeline: $passed passed, $failed failed"
[ "$failed" = 0 ]
