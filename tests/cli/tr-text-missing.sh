# SPDX-License-Identifier: Apache-2.0
# A missing file; a folder; two files.
tr-text no-such-file.tr
echo "status $?"
tr-text --encode no-such-file.txt
echo "status $?"
tr-text .
echo "status $?"
tr-text a b
