# SPDX-License-Identifier: Apache-2.0
# Of the stacks that disappeared, the largest 20 are listed and the others counted; with a
# threshold, only those above it.
for ((i = 1; i <= 23; i++)); do echo "p;f$i $((100 * i))"; done > a
echo 'p;g 1' > b
tr-diff a b | sed '1,/^gone/d'
echo
head -n 20 a | tr-diff - b | sed '1,/^gone/d' | tail -n 2
echo
tr-diff --threshold 150 a b | sed '1,/^gone/d' | tail -n 3
