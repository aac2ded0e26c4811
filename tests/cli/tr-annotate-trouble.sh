# SPDX-License-Identifier: Apache-2.0
# Invalid options, operands, streams and files, a full disk, a closed pipe: one line, and exit
# status 2; a truncated stream is never annotated.
. "$SRC/tests/cli/tr-annotate.inc"
try() {
	"$@" > got
	echo "exit $?, $(wc -l < got) lines"
}
try tr-annotate
try tr-annotate --nonsense sum run.tr
try tr-annotate sum run.tr run.tr
try tr-annotate --misses --mispredicts run.tr
try tr-annotate --all --misses run.tr
try tr-annotate --misses sum run.tr
try tr-annotate --limit 4 sum run.tr
try tr-annotate --format xml sum run.tr
try tr-annotate sun run.tr
try tr-annotate 0x20000 run.tr
try tr-annotate work.s:4 run.tr
try tr-annotate work.c run.tr
try tr-annotate work:summ run.tr
try tr-annotate sum missing.tr
try tr-annotate sum /dev/null
try tr-annotate sum .
try tr-annotate -o missing/out sum run.tr
try tr-annotate -o run.tr sum run.tr
try tr-annotate -o work.elf sum run.tr
cp work.s before.s
try tr-annotate -o work.s sum run.tr
mkdir below && mv work.s below
try tr-annotate --all --source below --html below/work.s run.tr
mv below/work.s . && cmp work.s before.s
tr-annotate sum run.tr > /dev/full
echo "exit $?"
{ sleep 0.2; tr-annotate --all run.tr; echo "closed: exit $?" >&2; } | :
head -c 300 run.tr > cut.tr
try tr-annotate sum cut.tr
tr-text --encode -u -o plain.tr run.txt
for byte in 100 200 400; do
	{ head -c $byte plain.tr; printf '\377'; tail -c +$((byte + 2)) plain.tr; } > flipped.tr
	try tr-annotate sum flipped.tr
done
tr-unwind -o stacks.tr run.tr
try tr-annotate sum stacks.tr
grep -vE '^(note|header bin)' run.txt | tr-text --encode > unmatched.tr
try tr-annotate sum unmatched.tr
grep -v '^note' run.txt | tr-text --encode > unknown.tr
try tr-annotate --all unknown.tr
try tr-annotate --all --html page.html unknown.tr
sed 's/^header classes=.*/header classes=a,,b/' run.txt | tr-text --encode > classes.tr
try tr-annotate sum classes.tr
sed '/^header classes/d; s,/[0-9]\*[0-9]*,,g' run.txt | tr-text --encode > none.tr
try tr-annotate --misses none.tr
try tr-annotate --mispredicts none.tr
sed 's/^end end=.*/end end=killed by signal 9/' run.txt | tr-text --encode > killed.tr
try tr-annotate sum killed.tr
mv work.elf gone.elf
try tr-annotate sum run.tr
