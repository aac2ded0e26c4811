# SPDX-License-Identifier: Apache-2.0
# Contexts with instructions, cycles, first and last cycle.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-split-by-satp --list a.tr
