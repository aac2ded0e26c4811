# SPDX-License-Identifier: Apache-2.0
# Empty, missing, damaged and truncated input; bad options.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
try() {
	echo "tr-info $*" >&2
	tr-info "$@" > out
	echo "status $?: $(sed -n '/^end/,$p' out)"
}
try /dev/null
try no-such-file.tr
try --no-such-option
try --bins
try a.tr a.tr
head -c -20 a.tr > b.tr
try b.tr
printf X | dd of=a.tr bs=1 seek=200 conv=notrunc status=none
try a.tr
tr-text --encode -o s.tr "$SRC/tests/cli/data/stacks.txt"
try --bins bins.lst s.tr
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
try --bins no-such-list a.tr
echo no-such-program > bins.lst
try --bins bins.lst a.tr
echo "a.tr nonsense" > bins.lst
try --bins bins.lst a.tr
