# SPDX-License-Identifier: Apache-2.0
# Invalid options, files and outputs: one line, and exit status 2.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
try() {
	"$@"
	echo "exit $?"
}
try tr-timeline --nonsense s.tr
try tr-timeline --format perfeto s.tr
try tr-timeline --by process s.tr
try tr-timeline --format svg --by thread s.tr
try tr-timeline --format svg --min-cycles 5 s.tr
try tr-timeline --format svg --max-depth 0 s.tr
try tr-timeline --min-cycles -1 s.tr
try tr-timeline --max-depth 1x s.tr
try tr-timeline --fold '' s.tr
try tr-timeline --fold nothing -o p s.tr
try tr-timeline s.tr s.tr
try tr-timeline missing.tr
try tr-timeline -o missing/out s.tr
try tr-timeline -o s.tr s.tr
printf '%s\n' 'header content=rows' 'end end=limit' 'end instructions=0' 'end cycles=0' \
	'end frames=0' | tr-text --encode > rows.tr
try tr-timeline -o p rows.tr
: > empty.tr
try tr-timeline -o p empty.tr
for format in perfetto svg speedscope; do
	echo "# $format"
	tr-timeline --format $format s.tr > /dev/full
	echo "exit $?"
	head -c 400 s.tr | tr-timeline --format $format -o p
	echo "exit $?"
	# Bits changed, everywhere: never a signal, and never a file that looks whole.
	for ((at = 0; at < $(wc -c < s.tr); at += 7)); do
		{
			head -c $at s.tr
			printf '\xa5'
			tail -c +$((at + 2)) s.tr
		} > flipped.tr
		cmp -s s.tr flipped.tr && continue
		tr-timeline --format $format -o p flipped.tr 2> said
		echo "$? $(wc -l < said)"
	done | sort | uniq -c | awk '{ print $2, $3 }'
	{
		sleep 0.2
		tr-timeline --format $format s.tr
		echo "exit $?" >&2
	} | :
done
