# SPDX-License-Identifier: Apache-2.0
# Counters with their descriptions and final values, of rows and of stacks.
tr-text --encode -o a.tr "$SRC/tests/cli/data/counters.txt"
tr-info a.tr | sed '/^totals/,/^contexts/d'
tr-text --encode -o b.tr "$SRC/tests/cli/data/stack-counters.txt"
tr-info b.tr | grep -v bytes
sed '/^counters/d' "$SRC/tests/cli/data/counters.txt" | tr-text --encode | tr-info | grep -A 3 ^counters
