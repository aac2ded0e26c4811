# SPDX-License-Identifier: Apache-2.0
# The output does not overwrite the input.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text -o a.tr a.tr
echo "status $?"
tr-text -o a.tr < a.tr
echo "status $?"
tr-text -o a.tr - < a.tr
echo "status $?"
tr-text a.tr | tail -1
