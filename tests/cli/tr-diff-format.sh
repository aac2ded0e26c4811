# SPDX-License-Identifier: Apache-2.0
# The tables as CSV and JSON, and the same exit status.
printf '%s\n' 'main 100' 'main;a "x", y 30' 'main;gone 5' > before.folded
printf '%s\n' 'main 100' 'main;a "x", y 50' 'main;b 7' > after.folded
try() {
	"$@"
	echo "exit $?"
}
try tr-diff --format csv before.folded after.folded
try tr-diff --format csv --by stack before.folded after.folded
try tr-diff --format json before.folded after.folded
try tr-diff --format json before.folded before.folded
try tr-diff --format csv --threshold 10 before.folded after.folded
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
sed 's/^srow n17 t2 cycles=9 instructions=9/srow n17 t2 cycles=19 instructions=19/' \
	"$SRC/tests/cli/data/machine.txt" | tr-text --encode -o t.tr
try tr-diff --tma --format csv s.tr t.tr
try tr-diff --tma --format csv s.tr s.tr
tr-diff --tma --format json s.tr t.tr | python3 -c 'import json, sys
print(json.load(sys.stdin)["functions"][-1])'
try tr-diff --format cvs before.folded after.folded
tr-diff --format csv before.folded after.folded > /dev/full
echo "exit $?"
