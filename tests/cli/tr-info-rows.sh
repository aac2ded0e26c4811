# SPDX-License-Identifier: Apache-2.0
# Totals, events, gaps, contexts and the end of a stream of rows.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-split-by-satp --priv s,u -u -o b.tr a.tr
tr-info b.tr
tr-info < b.tr | grep -A12 ^totals
