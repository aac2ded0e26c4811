# SPDX-License-Identifier: Apache-2.0
# Messages do not get into the output when there is no standard error; without the
# other two it says so.
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
