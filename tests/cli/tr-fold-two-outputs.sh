# SPDX-License-Identifier: Apache-2.0
# Two outputs cannot go to one file, under whatever names.
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
try() {
	"$@"
	echo "exit $?"
}
try tr-fold -o x --svg x s.tr
try tr-fold --svg - s.tr
ls x 2> /dev/null
touch x
ln x y
try tr-fold -o x --svg y s.tr
tr-fold --svg x s.tr > x
echo "exit $?"
# These are different.
try tr-fold -o /dev/null --svg /dev/null s.tr
try tr-fold -d programs -o - --svg z s.tr | tail -1
