# SPDX-License-Identifier: Apache-2.0
# Stacks weighted by a counter: its increase between two samples is distributed over the
# stacks that ran there, by their cycles, with no loss.
tr-text --encode -o s.tr "$SRC/tests/cli/data/fold-counters.txt"
fold() {
	echo "# $*"
	tr-fold -v "$@" s.tr
	echo "exit $?"
}
report() {
	echo "# functions $*"
	tr-report functions -v "$@" s.tr
	echo "exit $?"
}
fold --unit miss
fold --unit queue=0
fold --unit late
report --unit miss
for by in program process thread privilege; do
	fold --unit miss --by $by
done
report --unit miss --by process
fold --unit miss --fold lib
echo '# windows that meet'
fold --unit miss --to 115
fold --unit miss --from 115 --to 165
fold --unit miss --from 165
fold --unit miss --from work --to '[ecall]'
fold --unit still
fold --unit late --to 100

echo '# a flame graph, and one for each program'
tr-fold --unit miss --svg s.svg -d out -o folded s.tr
grep -o '>69 miss<' s.svg
grep -o '"unit":"miss"' s.svg
head out/*.folded
cmp folded <(tr-fold -@2 --unit miss s.tr) && echo 'the same with threads'

echo '# what is no unit'
fold --unit mis
fold --unit MISSES
fold --unit xyzzy
fold --unit ''
fold --unit miss --tma --svg s.svg
fold --unit miss --idle
fold --unit miss -o /dev/full
sed 's/miss=151/miss=149/' "$SRC/tests/cli/data/fold-counters.txt" | tr-text --encode -o s.tr
fold --unit miss
sed '/^srow/d' "$SRC/tests/cli/data/fold-counters.txt" | tr-text --encode -o s.tr
fold --unit miss
sed '/^counters\|^header counters/d' "$SRC/tests/cli/data/fold-counters.txt" |
	tr-text --encode -o s.tr
fold --unit miss

echo '# names that are long, or like markup'
long=$(printf '%0255d' 1)
sed "s/miss,still/<\/script>\"\&',still/; s/ miss=/ \"<\/script>\\\\x22\&'\"=/; s/late/$long/" \
	"$SRC/tests/cli/data/fold-counters.txt" | tr-text --encode -o s.tr
tr-fold --unit "$long" -v --svg s.svg -o /dev/null s.tr 2>&1 | sed "s/$long/LONG/g"
grep -c ">3 $long<" s.svg
tr-fold --unit "</script>\"&'" --svg s.svg -o /dev/null s.tr
grep -o '>69 [^<]*<' s.svg
grep -c '</script>"' s.svg || echo 'no markup of its own'
