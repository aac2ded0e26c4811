# SPDX-License-Identifier: Apache-2.0
# The simulator's stream is unchanged, its output passes through, and its status is
# returned.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text a.tr > a.txt
tr-capture --no-provenance -o b.tr -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; echo console; cat' < a.txt | head -2
echo "status ${PIPESTATUS[0]}"
tr-text b.tr | cmp - a.txt && echo "the same"
tr-capture --no-provenance -l 1 -@2 -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; echo console' 2> console | tr-text | cmp - a.txt && cat console
tr-capture -o b.tr -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; exit 7'
echo "status $?"
sed 's/^end status=0/end status=3/' a.txt | tr-text --encode -u -o a.tr
tr-capture -o b.tr -- sh -c 'cat a.tr >&$TR_CAPTURE_FD'
echo "status $?"
