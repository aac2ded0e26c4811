# SPDX-License-Identifier: Apache-2.0
# A full disk, and a pipe without a reader.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-info a.tr > /dev/full
echo "status $?"
tr-info -o /dev/full a.tr
echo "status $?"
{ sleep 0.3; tr-info a.tr; echo "status $?" >&2; } | :
