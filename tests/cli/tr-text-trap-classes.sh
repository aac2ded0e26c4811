# SPDX-License-Identifier: Apache-2.0
# Classes of the cycles of a trap, as text and back. A trap without classes keeps its old
# encoding.
text() { # COMMIT-WIDTH CYCLES
	printf 'header %s\n' content=rows xlen=64 "commit_width=$1"
	printf '%s\n' 'block a pc=0x10 1141' 'row a' \
		"trap cause=8 priv=S epc=0x12 tval=0x5 cycles=$2" end
}
text 1 9/3*4/31*5 | tr-text --encode -o a.tr
tr-text a.tr | tee a.txt | grep '^trap'
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
text 1 9 | tr-text --encode -u | od -An -tx1 -v | tr -d '\n' | grep -o '09 09 03 01 00 09 04 10 01 12 05'
for wrong in '1 9/3*5/31*5' '1 9/32*1' '1 9/3*' '2 1/1*4' "1 65$(printf '/1*1%.0s' {1..65})"; do
	text $wrong | tr-text --encode -u > wrong.tr
	echo "exit $?"
done
text 2 9/3*18 | tr-text --encode | tr-text | grep '^trap'
sed 's/\*4/*3/' a.txt | tr-text --encode -o b.tr
tr-diff a.tr b.tr
echo "exit $?"
tr-split-by-satp --satp 0 a.tr | tr-text | grep '^trap'
