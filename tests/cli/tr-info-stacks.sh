# SPDX-License-Identifier: Apache-2.0
# A stream of stacks.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/stacks.txt"
tr-info a.tr
