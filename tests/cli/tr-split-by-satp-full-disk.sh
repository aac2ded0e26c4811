# SPDX-License-Identifier: Apache-2.0
# A full disk, and a closed pipe.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-split-by-satp --list a.tr > /dev/full
echo "status $?"
tr-split-by-satp --priv u -o /dev/full a.tr
echo "status $?"
mkdir parts
ln -s /dev/full parts/satp-8000000000080123.tr
tr-split-by-satp -d parts a.tr
echo "status $?"
{ sleep 0.3; tr-split-by-satp --priv u a.tr; echo "status $?" >&2; } | :
