# SPDX-License-Identifier: Apache-2.0
# Invalid options, files and outputs.
echo 'a;b 5' > a
echo 'a;b 6' > b
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
printf '%s\n' 'header content=rows' 'end end=limit' 'end instructions=0' 'end cycles=0' \
	'end frames=0' | tr-text --encode -u -o rows.tr
try() {
	tr-diff "$@"
	echo "exit $?"
}
try --nonsense a b
try a
try a b a
try missing b
try a missing
try a s.tr
try s.tr s.tr
try --by line a b
try --threshold x a b
try --threshold -1 a b
try --threshold 5%% a b
try --threshold 0x5 a b
try --svg missing/d.svg -o got a b
try rows.tr rows.tr
head -c 30 rows.tr > cut.tr
try rows.tr cut.tr
tr-diff a b > /dev/full
echo "exit $?"
# Two outputs to one file.
try -o got --svg got a b
# Options that apply to profiles only.
try --svg got.svg rows.tr rows.tr
try --threshold 5 rows.tr rows.tr
