# SPDX-License-Identifier: Apache-2.0
# With standard error closed, messages do not go into the output; with standard input or
# output closed, it reports an error.
. "$SRC/tests/cli/tr-unwind.inc"
zstd -dcq run.tr | head -c -10 > cut.tr
tr-unwind --no-provenance -o good.tr < cut.tr
echo "exit $?"
tr-unwind --no-provenance -o got.tr < cut.tr 2>&-
echo "exit $?"
cmp good.tr got.tr
tr-unwind -o got.tr <&-
echo "exit $?"
tr-unwind run.tr >&-
echo "exit $?"
