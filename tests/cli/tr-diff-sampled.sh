# SPDX-License-Identifier: Apache-2.0
# Two sampled runs: only what changed by more than the error is listed. `g` takes 5.5 cycles
# an instruction instead of 3; `h`, half of its cycles, has the error of its pool.
. "$SRC/tests/cli/sampled.inc"
sampled 12 | tr-text --encode -o before.tr
sampled 12 | sed -e 's/^srow n7 t1 cycles=350\(.*\)1\*200/srow n7 t1 cycles=600\11*450/' \
	-e 's/^srow n9 t1 cycles=200\(.*\)1\*150/srow n9 t1 cycles=100\11*50/' | tr-text --encode -o after.tr
tr-diff before.tr after.tr || echo "exit $?"
tr-diff --format csv before.tr after.tr || echo "exit $?"
tr-diff --threshold 9000 before.tr after.tr || echo "exit $?"
tr-diff before.tr before.tr && echo none
# A whole run has no errors; too few windows have no known one.
sampled 12 | sed -e '/^header sampled/d' -e '/^hart 1/,/^end/{/^end/!d}' | tr-text --encode -o whole.tr
tr-diff whole.tr before.tr || echo "exit $?"
sampled 1 | tr-text --encode -o one.tr
tr-diff one.tr before.tr && echo none
# Streams have no picture, and classes are not compared.
tr-diff --svg x.svg before.tr after.tr
tr-diff --by stack before.tr after.tr
tr-diff --tma before.tr after.tr
tr-diff --tma whole.tr after.tr
