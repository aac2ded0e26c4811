# SPDX-License-Identifier: Apache-2.0
# One stream per satp; together they have each token once, and each has all cycles.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-split-by-satp --no-provenance -d parts a.tr
ls parts
for part in parts/*; do
	echo "--- $part"
	tr-text "$part" | grep -v '^header'
done
tr-text --tokens a.tr | grep ^token | sort > all
for part in parts/*; do tr-text --tokens "$part" | grep ^token; done | sort | cmp - all && echo "each token once"
cd parts && tr-split-by-satp --no-provenance -u -d ../plain -@2 ../a.tr
for part in *; do tr-text "$part" | cmp - <(tr-text "../plain/$part"); done
