# SPDX-License-Identifier: Apache-2.0
# Classes of lost cycles are charged to the stacks, and those of lost slots when several
# commits share a cycle.
. "$SRC/tests/cli/tr-unwind.inc"
sed -i 's|^row foo stall 1:5$|row foo stall 1:5/3*4|
	s|^trap .*cycles=2$|&/7*2|' run.txt
for header in 'source=none' 'commit_width=1' 'commit_width=2'; do
	echo "$header"
	sed "s/^header watch=4/&\nheader $header/" run.txt | tr-text --encode |
		tr-unwind --no-provenance | tr-text | grep -F '*' || echo 'no classes'
done
echo '# a class twice in a row, and more classes than the sums of a timing have room for'
for runs in 5/3*1/5*1/3*2 9/1*1/2*1/3*1/4*1/5*1/6*1/7*1/1*1; do
	sed "s|^row foo stall 1:5/3\*4$|row foo stall 1:$runs|" run.txt | tr-text --encode |
		tr-unwind --no-provenance | tr-text | grep '^srow n4 .*\*'
done
