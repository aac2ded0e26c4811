# SPDX-License-Identifier: Apache-2.0
# The logs of a run with a file for each hart are one stream, whose harts are those of the
# names, or of the places, of the files, and advance together.
tracerv() { awk -v first="$1" -v step="$2" -v n="$3" 'BEGIN { for (i = 0; i < n; i++) printf "Cycle: %016d I0: %016x\n", first + i * step, 2147483648 + 4 * (i % 500) }'; }
counts() { tr-text --tokens "$1" | awk '/^token/ { n[$5]++; last[$5] = $6 } END { for (h in n) print h, n[h], last[h] }' | sort; }
{ echo '# Clock Domain: tile, Relative Frequency: 1/1 of Base Clock'; tracerv 100 3 4; } > TRACEFILE-C0
{ echo '# Clock Domain: tile, Relative Frequency: 1/1 of Base Clock'; tracerv 90 1 30; } > TRACEFILE-C3
tr-capture -o a.tr TRACEFILE-C3 TRACEFILE-C0
counts a.tr
for n in 0 1 11 12 13 20 33 34; do
	tr-capture --max-instructions $n -o b.tr TRACEFILE-C0 TRACEFILE-C3
	tr-text --tokens b.tr | sed -n 's/^token \([^ ]*\) .* hart=\([0-9]*\) cycle=\([0-9]*\) .*/\3 \2/p' | sort -n |
		cmp - <(tr-text --tokens a.tr | sed -n 's/^token \([^ ]*\) .* hart=\([0-9]*\) cycle=\([0-9]*\) .*/\3 \2/p' | sort -n | head -n $n) || echo "$n differ"
done
tr-capture --max-cycles 15 -o b.tr TRACEFILE-C0 TRACEFILE-C3
counts b.tr
# CVA6 and Ibex; without numbers in the names
log=$SRC/tests/cli/data/logs/cva6-real.dasm
cp "$log" trace_rvfi_hart_00.dasm
head -n 100 "$log" > trace_rvfi_hart_01.dasm
tr-capture -o a.tr trace_rvfi_hart_0*.dasm
counts a.tr
cp "$SRC/tests/cli/data/logs/ibex-real.log" trace_core_00000000.log
cp trace_core_00000000.log trace_core_0000000a.log
tr-capture -o a.tr trace_core_*.log
counts a.tr
cp trace_core_00000000.log big.log
gzip -c big.log > little.log.gz
tr-capture -o a.tr little.log.gz big.log
counts a.tr
# Commits of Rocket, which do not tell the core; BOOM's with cycles
head -n 3 "$SRC/tests/cli/data/logs/boom.log" > core0.log
tail -n 1 "$SRC/tests/cli/data/logs/boom.log" > core1.log
tr-capture -o a.tr core0.log core1.log
tr-text --tokens a.tr | grep '^token' | sed 's/ satp.*//'
# However many lines of one file are between two of the other, the frames of the stream have
# both harts at the same time.
tracerv 0 1 400000 > TRACEFILE-C0
{ tracerv 0 1000 300; tracerv 300000 1 100000; } > TRACEFILE-C1
tr-capture -u -o a.tr TRACEFILE-C0 TRACEFILE-C1
counts a.tr
tr-text a.tr | awk '/^frame/ { n++ } /^hart/ { split($3, c, "="); start[n, $2] = c[2] }
	END { for (i = 2; i <= n; i++) { d = start[i, 0] - start[i, 1]; if (d < -1100 || d > 1100) print "frame", i, d } }' | head
# Trouble: the same hart twice, a name without a number, another format, several harts in
# each file, one of them damaged, cut off, empty or missing, streams, a pipe
try() {
	tr-capture -o b.tr "$@"
	echo "status $?"
}
mkdir other
cp TRACEFILE-C0 other
try TRACEFILE-C0 other/TRACEFILE-C0
cp TRACEFILE-C0 nothing
try TRACEFILE-C1 nothing
try TRACEFILE-C0 trace_core_00000000.log
cp -r "$SRC/tests/cli/data/logs" .
try logs/spike.log logs/spike-both.log
try logs/tracerv-stacks.log logs/tracerv-stacks.log
{ tracerv 5 1 3; echo 'Cycle: 1'; tracerv 10 1 3; } > TRACEFILE-C5
{ tracerv 5 1 3; printf 'Cycle: 0000000000000009 I0: 00000000'; } > TRACEFILE-C6
: > TRACEFILE-C7
tracerv 1 1 10 > TRACEFILE-C4
for bad in 5 6 7 8; do
	try TRACEFILE-C4 TRACEFILE-C$bad
	[ $bad -gt 6 ] || { counts b.tr; tr-text b.tr | grep '^end reason'; }
done
try a.tr b.tr
try --skip-bad 1 TRACEFILE-C4 TRACEFILE-C5
counts b.tr
try --from tracerv TRACEFILE-C4 - < TRACEFILE-C0
counts b.tr
try --from tracerv <(cat TRACEFILE-C4) <(cat TRACEFILE-C0)
counts b.tr
