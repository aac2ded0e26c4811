# SPDX-License-Identifier: Apache-2.0
# The list of formats; names that are none; the default.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
try() {
	"$@"
	echo "exit $?"
}
try tr-fold --format help
tr-fold --format help > /dev/full
echo "exit $?"
try tr-fold --format flded s.tr
try tr-fold --format xyzzy s.tr
try tr-fold --format '' s.tr
try tr-report functions --format folded s.tr
try tr-report histogram main --format folded s.tr
tr-fold s.tr > default
tr-fold --format folded s.tr | cmp - default && echo same
tr-fold --format folded -d parts s.tr
ls parts
tr-fold --format folded s.tr > /dev/full
echo "exit $?"
