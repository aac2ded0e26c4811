# SPDX-License-Identifier: Apache-2.0
# A stream of stacks as text and back.
tr-text --encode -o a.tr "$SRC/tests/cli/data/stacks.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
