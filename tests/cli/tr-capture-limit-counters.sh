# SPDX-License-Identifier: Apache-2.0
# Samples of counters up to and including the cycle of a limit are kept, later ones
# dropped.
tr-text --encode -o a.tr "$SRC/tests/cli/data/counters.txt"
for n in {0..26}; do
	echo "$n: $(tr-capture --max-cycles $n a.tr | tr-text | grep -c '^counters')"
done
tr-capture --max-cycles 22 a.tr | tr-text | grep '^counters'
