# SPDX-License-Identifier: Apache-2.0
# No input, a stream without rows, and a truncated one.
: > empty
tr-fold empty
echo "exit $?"
tr-text --encode -u -o s.tr "$SRC/tests/browser/flame.txt"
size=$(stat -c %s s.tr)
for cut in 3 20 200 $((size - 1)); do
	head -c "$cut" s.tr > cut.tr
	tr-fold cut.tr
	echo "exit $?"
done
printf '%s\n' 'header content=stacks' 'end end=limit' 'end instructions=0' 'end cycles=0' \
	'end frames=0' | tr-text --encode > none.tr
tr-fold -v --svg none.svg none.tr
echo "exit $?"
grep -c '</svg>' none.svg
tr-report functions none.tr
