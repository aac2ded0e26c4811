# SPDX-License-Identifier: Apache-2.0
# Samples of counters in a stream of stacks, as text and back.
tr-text --encode -o a.tr "$SRC/tests/cli/data/stack-counters.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
tr-text --encode -u -o b.tr a.txt
tr-text -@2 b.tr | cmp - a.txt && echo "the same from a plain file"
for change in 's/cycle=1120/cycle=999/' 's/cycle=1170/cycle=1159/' 's/ cycle=1120//' \
	's/cycle=1170/cycle=9223372036854775808/' 's/^counters 1/counters 2/' 's/ miss=13//'; do
	sed "$change" a.txt | tr-text --encode > b.tr
	echo "$change: $?"
done
