# SPDX-License-Identifier: Apache-2.0
# Invalid options, files and streams: one line, and exit status 2.
. "$SRC/tests/cli/tr-unwind.inc"
try() {
	"$@" > got
	echo "exit $?"
}
try tr-unwind --nonsense run.tr
try tr-unwind run.tr run.tr
try tr-unwind missing.tr
try tr-unwind .
try tr-unwind /dev/null
try tr-unwind -o missing/out run.tr
tr-unwind run.tr > /dev/full
echo "exit $?"
# The stream is unmatched, or has stacks already.
grep -vE '^(note|header bin)' run.txt | tr-text --encode > unmatched.tr
try tr-unwind unmatched.tr
tr-unwind -o stacks.tr run.tr
try tr-unwind stacks.tr
# The binaries are missing or have changed.
sed 's/prog.elf/gone.elf/' run.txt | tr-text --encode > gone.tr
try tr-unwind gone.tr
sed 's,prog.elf,/nowhere/gone.elf,' run.txt | tr-text --encode > gone.tr
try tr-unwind gone.tr
sed 's/^header bin.1=.*/&\nheader bin.1.build_id=0123abcd/' run.txt | tr-text --encode > other.tr
try tr-unwind other.tr
sed 's/^header bin.1=.*/&\nheader bin.1.hash=0123456789abcdef/' run.txt | tr-text --encode > hash.tr
try tr-unwind hash.tr
# A note for a binary that the header does not name.
sed 's/foo bin=0/foo bin=2/' run.txt | tr-text --encode > note.tr
try tr-unwind note.tr
# More binaries than tr-match can have had: the first one is reported.
{
	echo 'header content=rows'
	seq 0 199999 | sed 's/.*/header bin.&=gone.elf/'
	echo 'end end=power-off'
} | tr-text --encode > many.tr
try timeout 30 tr-unwind many.tr
