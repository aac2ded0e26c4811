# SPDX-License-Identifier: Apache-2.0
# A full disk gives one line, for text and for streams.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text a.tr > /dev/full
echo "status $?"
tr-text -o /dev/full a.tr
echo "status $?"
tr-text --encode "$SRC/tests/cli/data/two-spaces.txt" > /dev/full
echo "status $?"
tr-text --encode -o /dev/full "$SRC/tests/cli/data/stacks.txt"
echo "status $?"
tr-text --help > /dev/full
