# SPDX-License-Identifier: Apache-2.0
# Invalid options, files and outputs: one line, and exit status 2.
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
try() {
	"$@"
	echo "exit $?"
}
try tr-fold --nonsense s.tr
try tr-fold --by nothing s.tr
try tr-fold --unit seconds s.tr
try tr-fold s.tr s.tr
try tr-fold missing.tr
try tr-fold -o missing/out s.tr
try tr-fold -o got --svg missing/out s.tr
try tr-fold -o s.tr s.tr
for output in '' --unit=instructions; do
	tr-fold $output s.tr > /dev/full
	echo "exit $?"
done
try tr-fold -o got --svg /dev/full s.tr
printf '%s\n' 'header content=rows' 'end end=limit' 'end instructions=0' 'end cycles=0' \
	'end frames=0' | tr-text --encode > rows.tr
try tr-fold rows.tr
