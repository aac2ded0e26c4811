# SPDX-License-Identifier: Apache-2.0
# Hits of probes and tasks in a stream of stacks, as text and back.
tr-text --encode -o a.tr "$SRC/tests/cli/data/stack-probes.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
tr-text --encode -u -o b.tr a.txt
tr-text -@2 b.tr | cmp - a.txt && echo "the same from a plain file"
for change in 's/cycle=130/cycle=94/' 's/cycle=116/cycle=104/' 's/ cycle=116//' \
	's/cycle=130/cycle=9223372036854775808/' 's/^probe 1/probe 2/' 's/ pid=+1//' \
	's/^task k1/task k2/' 's/^use t0/use t1/' 's/task=k1/task=k2/' 's/^use t0//' 's/pid=3/pid=4294967295/'; do
	sed "$change" a.txt | tr-text --encode > b.tr
	echo "$change: $?"
done
