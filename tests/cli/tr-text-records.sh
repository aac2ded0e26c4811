# SPDX-License-Identifier: Apache-2.0
# A stream as text, and the same text from the stream encoded from it.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
tr-text --encode -u -o b.tr a.txt
tr-text -@2 b.tr | cmp - a.txt && echo "the same from a plain file"
