# SPDX-License-Identifier: Apache-2.0
# A run that was cut off: each filter reports it, and so do tr-fold's graphs. A run that
# ended as requested is not cut off.
. "$SRC/tests/cli/tr-unwind.inc"
printf '%s\n' prog.elf 'kernel.elf kernel' > bins.lst
notes() {
	sed -n 's/.*<text class="note[^>]*>\([^<]*cut off[^<]*\)<.*/\1/p' "$@"
}
for end in 'killed by signal 9' 'exited with status 3 in mid-stream' 'interrupted' \
	'corrupt' 'truncated' 'limit'; do
	echo "# $end"
	sed "s/^end end=.*/end end=$end/" run.txt | tr-text --encode -o run.tr
	grep -v ^note run.txt | sed "s/^end end=.*/end end=$end/" | tr-text --encode |
		tr-match --bins bins.lst 2>&1 > matched.tr | grep 'cut off'
	{
		tr-unwind run.tr > stacks.tr
		tr-fold stacks.tr > run.folded
	} 2>&1
	tr-report functions stacks.tr 2> /dev/null | tail -n 1
done
sed -n 's/^end end=.*/end end=truncated/; p' run.txt | tr-text --encode -o run.tr
tr-unwind run.tr 2> /dev/null > stacks.tr
tr-fold --svg run.svg -d out stacks.tr 2> /dev/null
notes run.svg out/prog.svg
tr-report histogram foo --svg foo.svg stacks.tr 2> /dev/null | tail -n 1
notes foo.svg
grep -v ^note run.txt | sed '/^header bin/d; s/^end end=.*/end end=truncated/' |
	tr-text --encode -o run.tr
{
	tr-capture -o again.tr run.tr
	tr-split-by-satp --priv u run.tr > part.tr
	tr-split-by-satp --list run.tr > list
	tr-diff run.tr again.tr
} 2>&1
tr-info run.tr | grep 'cut off'
