# SPDX-License-Identifier: Apache-2.0
# Damage is reported by record and byte.
tr-text --encode "$SRC/tests/cli/data/two-spaces.txt" > a.tr
printf X | dd of=a.tr bs=1 seek=210 conv=notrunc status=none
tr-text a.tr > /dev/null
echo "status $?"
cat a.tr | tr-text --tokens > /dev/null
echo "status $?"
echo "this is no stream" | tr-text
