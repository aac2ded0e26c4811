# SPDX-License-Identifier: Apache-2.0
# Stacks in the order of sort(1), by cycles or, on request, instructions; the output is
# the same from a file, a pipe and a second thread.
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
tr-fold -v s.tr
tr-fold --unit instructions -v s.tr
tr-fold s.tr | LC_ALL=C sort -c
zstd -dcq s.tr | tr-fold | cmp - <(tr-fold -@2 s.tr)
