# SPDX-License-Identifier: Apache-2.0
# One line per token, from which the same stream is encoded again.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text --tokens a.tr | tee a.txt
tr-text --encode a.txt | tr-text --tokens | cmp - a.txt && echo "the same again"
