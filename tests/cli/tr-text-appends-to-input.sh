# SPDX-License-Identifier: Apache-2.0
# A shell that appends the output to the input does not damage the input.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
cp a.tr before.tr
tr-text a.tr >> a.tr
echo "exit $?"
tr-text < a.tr >> a.tr
echo "exit $?"
tr-capture a.tr >> a.tr
echo "exit $?"
tr-split-by-satp --priv s a.tr >> a.tr
echo "exit $?"
tr-info a.tr >> a.tr
echo "exit $?"
tr-text a.tr 1<> a.tr
echo "exit $?"
cmp a.tr before.tr
