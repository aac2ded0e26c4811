# SPDX-License-Identifier: Apache-2.0
# --merge adds up folded profiles: adjacent windows to the profile of the whole, in any order; and
# what is none, or an option that is about a stream, is refused.
merge() {
	tr-fold --merge "$@" 2>&1
	echo "exit $?"
}
printf 'b;x 1\na;f g 3\na 2\n' > 1.folded
printf '# of another program\na;f g 40\n[idle] 5\r\na;n 0\n' > 2.folded
merge 1.folded 2.folded
merge 1.folded 1.folded
merge - < 2.folded
merge 1.folded -o sum 2.folded
tr-fold --merge 2.folded 1.folded | cmp - sum

tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
for unit in cycles instructions; do
	tr-fold --unit $unit -o whole s.tr
	for cut in 29 60 100 211 300; do
		tr-fold --unit $unit --to $cut -o before s.tr
		tr-fold --unit $unit --from $cut -o after s.tr
		tr-fold --merge after before | cmp - whole
	done
done
tr-fold --by process -o processes s.tr
tr-fold --merge processes processes | awk '{ $NF /= 2; print }' | cmp - processes

echo '# refused'
merge
merge missing
merge 1.folded s.tr
: > empty
merge empty 1.folded
echo 'a;b' > cut
merge 1.folded cut
printf 'a 18446744073709551615\n' > large
merge large 1.folded
merge -o 1.folded 1.folded 2.folded
cmp 1.folded <(printf 'b;x 1\na;f g 3\na 2\n')
for option in --by=program --unit=cycles --from=1 --svg=x.svg --format=csv --tma --directory=d; do
	merge $option 1.folded
done
tr-fold --merge 1.folded > /dev/full
echo "exit $?"
