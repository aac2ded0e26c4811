# SPDX-License-Identifier: Apache-2.0
# Without a command: reads a file or standard input, plain or compressed.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-capture -o b.tr a.tr
tr-text b.tr | diff <(tr-text a.tr) -
tr-capture -u < b.tr | tr-text | tail -1
cat b.tr | tr-capture --level 19 --no-provenance | tr-text | cmp - <(tr-text b.tr) && echo "the same"
tr-capture -u -o c.tr b.tr && tr-info c.tr | grep '^  zstd'
tr-capture -o c.tr b.tr && tr-info c.tr | grep '^  zstd'
