# SPDX-License-Identifier: Apache-2.0
# The binaries and their list are input as well: no output overwrites them.
. "$SRC/tests/cli/tr-unwind.inc"
echo 'prog.elf user' > bins.lst
cp prog.elf prog.good
try() {
	"$@"
	echo "exit $?"
}
try tr-match --bins bins.lst -o bins.lst run.tr
try tr-match --bins bins.lst -o prog.elf run.tr
try tr-info --bins bins.lst -o bins.lst run.tr
try tr-info --bins bins.lst -o ./prog.elf run.tr
try tr-unwind -o prog.elf run.tr
cmp prog.elf prog.good
cat bins.lst
