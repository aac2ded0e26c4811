# SPDX-License-Identifier: Apache-2.0
# Truncated and damaged files, pipes that end, and a stream of stacks.
. "$SRC/tests/cli/tr-capture.inc"
try() {
	rm -f b.tr
	tr-capture --no-provenance -o b.tr "$@"
	echo "status $?"
	if [ -e b.tr ]; then rows; fi
}
try half.tr
try < half.tr
head -c 20 whole.tr | try
cp whole.tr bad.tr
printf X | dd of=bad.tr bs=1 seek=170 conv=notrunc status=none
try bad.tr
cat whole.tr whole.tr > twice.tr
try twice.tr
try /dev/null
try no-such-file.tr
tr-text --encode -o s.tr "$SRC/tests/cli/data/stacks.txt"
try s.tr
