# SPDX-License-Identifier: Apache-2.0
# Binary is not written to a terminal.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
script -qec "tr-split-by-satp --priv u a.tr" /dev/null | tr -d '\r'
