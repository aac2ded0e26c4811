# SPDX-License-Identifier: Apache-2.0
# A sampled run: stacks have the exact instructions of hart 0 times the CPI of their leaves
# in the windows of hart 1, plus their own waiting; and bars.
. "$SRC/tests/cli/sampled.inc"
sampled 12 | tr-text --encode -o s.tr
tr-fold -v --bars bars.csv --svg s.svg s.tr
cat bars.csv
grep -o -m 1 '22330 cycles[^<]*' s.svg
grep -o 'hatched: .*windows' s.svg | sort -u
grep -A 1 '"bars"' s.svg
# Waiting by itself, instructions as they are, groups, folded and hidden frames.
tr-fold --idle s.tr
tr-fold --unit instructions s.tr
tr-fold --by thread s.tr
tr-fold --fold p s.tr
tr-fold --hide '^[fg]$' s.tr
# Too few windows: the CPI of all of them, and no bar.
sampled 1 | tr-text --encode -o one.tr
tr-fold --bars - -o /dev/null one.tr
# What cannot be estimated is refused.
sampled 0 | tr-text --encode -o none.tr
tr-fold none.tr
tr-fold --from 100 s.tr
tr-fold --to h s.tr
tr-fold --serve 0 s.tr
tr-fold --off-cpu s.tr
tr-fold --format pprof s.tr
tr-timeline s.tr
tr-annotate f s.tr
mkdir profile
mv s.tr profile/stacks.tr
tr-explore profile 2>&1 | grep -v serving
mv profile/stacks.tr s.tr
tr-report slowest f s.tr
tr-report functions --assert 'f.max < 9' s.tr
sampled 12 | grep -v '^header sampled' | tr-text --encode -o whole.tr
tr-fold --bars b.csv whole.tr
# Damage: no hart of windows, windows of no instructions, more cycles than fit.
for hart in 0 x 99999999999; do
	sampled 12 | sed "s/^header sampled_hart=1/header sampled_hart=$hart/" | tr-text --encode | tr-fold
done
sampled 12 | sed '/ t1 /s/instructions=[0-9]*/instructions=0/' | tr-text --encode | tr-fold
sampled 12 | sed -e '/^srow n2/s/instructions=[0-9]*/instructions=1000000000000000/' \
	-e '/^srow n8/s/cycles=[0-9]* instructions=[0-9]*.*/cycles=1000000000000000 instructions=1/' |
	tr-text --encode | tr-fold
