#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares sampled runs with the whole run that they are made from: run.sh BIN SIM TARGET CUT
#
# If the windows are the whole run, each function with a CPI of its own has its exact cycles, and
# nothing has an error. If they are a tenth of it, instructions are exact, and the total is within
# its error.
set -eu -o pipefail
export LC_ALL=C
bin=$(cd "$1" && pwd) sim=$(realpath "$2") target=$(cd "$3" && pwd) cut=$(realpath "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PATH=$bin:$PATH failed=0

fail() { echo "sample: $*"; failed=$((failed + 1)); }
stacks() { tr-match --bins "$target/bins.lst" "$1" | tr-unwind -o "$2" 2> /dev/null; }

tr-capture -o whole.tr -- "$sim" "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
stacks whole.tr whole.stacks.tr
"$cut" 1000 1000 0 whole.tr > all.tr
"$cut" 1000 100 450 whole.tr > some.tr
stacks all.tr all.stacks.tr
stacks some.tr some.stacks.tr

# Instructions are those of the whole run, stack by stack.
tr-fold --unit instructions whole.stacks.tr > whole.folded
for run in all some; do
	tr-fold --unit instructions $run.stacks.tr | cmp whole.folded - || fail "$run: other instructions"
done

# A trap at the begin of a window can be charged to another function.
tr-fold -o all.folded --bars all.csv all.stacks.tr
tr-report functions --format csv -o whole.csv whole.stacks.tr
tr-fold -o whole.cycles whole.stacks.tr
awk -F, '
	function column(name,  i) { for (i = 1; i <= NF; i++) if ($i == name) return i; exit 2 }
	FILENAME == "whole.csv" && FNR == 1 { self = column("self_cycles"); binary = column("binary"); name = column("function"); next }
	FILENAME == "whole.csv" { truth[$binary, $name] += $self; next }
	$1 == "total" { total = $4; if ($5 != 0) { wrong++; print "sample: all: an error of the total: " $5 } }
	$1 == "stack" { stacks[FNR] = $2 }
	$1 == "function" && $7 >= 5 {
		off = $4 - truth[$3, $2]; functions++
		if (off < 0) off = -off
		if (off > 5 || $5 != 0) { wrong++; print "sample: all: " $2 ": " $4 " ± " $5 ", not " truth[$3, $2] }
	}
	END { print "sample: " functions + 0 " functions with all cycles in windows"; exit wrong || functions < 20 }' whole.csv all.csv || failed=1
sum() { awk '{ n += $NF } END { print n }' "$1"; }
off=$(($(sum all.folded) - $(sum whole.cycles)))
[ ${off#-} -le 2 ] || fail "all: the total is off by $off"

# A tenth
tr-fold -o some.folded --bars some.csv some.stacks.tr
awk -F, -v truth="$(sum whole.cycles)" '$1 == "total" {
	off = $4 - truth
	printf "sample: %d ± %d from %d windows, off by %d\n", $4, $5, $7, off
	exit off > $5 || off < -$5 || $5 > truth / 5 || $5 <= 0 }' some.csv || fail 'some: not within its error'
# Few functions differ by more than their errors, and the total does not.
tr-diff whole.stacks.tr some.stacks.tr > diff || [ $? = 1 ]
grep -q 'total:.*within the error$' diff || fail "tr-diff: $(tail -n 1 diff)"

# Cut anywhere, it is truncated.
size=$(wc -c < some.stacks.tr)
for part in 3 5 9; do
	head -c $((size * part / 10)) some.stacks.tr > cut.tr
	if tr-fold -o cut.folded cut.tr 2> error; then fail "a stream cut at $part/10 is taken"; fi
	[ "$(wc -l < error)" = 1 ] || fail "cut at $part/10: $(cat error)"
done
[ $failed = 0 ]
