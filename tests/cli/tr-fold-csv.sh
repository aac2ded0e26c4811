# SPDX-License-Identifier: Apache-2.0
# Stacks and tables as CSV, quoted so that another program reads the names back.
tr-text --encode -o h.tr "$SRC/tests/cli/data/hostile-names.txt"
tr-fold --format csv h.tr
tr-fold --format csv --table h.tr > table.csv
cat table.csv
python3 -c 'import csv, sys
for row in csv.reader(open("table.csv", encoding="utf-8", newline=""), strict=True):
	print(len(row), ascii(row[-3]))'
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
for by in program process thread privilege hart; do
	tr-fold --format csv --by $by --table s.tr | head -3
done
tr-fold --format csv --table --tma s.tr
sed '/^header classes/s/$/,core.div/' "$SRC/tests/cli/data/machine.txt" |
	tr-text --encode -o d.tr
tr-fold --format csv --table --tma d.tr
tr-fold --format csv --histogram leaf s.tr
tr-fold --format csv --unit instructions --histogram leaf s.tr
echo '# a table without rows has its columns'
tr-fold --format csv --histogram main s.tr
echo '# a stack of instructions that commit in the cycles of others'
sed 's/^srow n4 .*/srow n4 t0 cycles=0 instructions=7 fresh/; /^end cycles/s/=.*/=9007199254741197/' \
	"$SRC/tests/cli/data/hostile-names.txt" | tr-text --encode | tr-fold --format csv | tail -1
echo '# text and CSV at once'
tr-fold --format folded --table=table.txt s.tr | head -1
head -2 table.txt
for output in '' --table '--histogram main'; do
	tr-fold --format csv $output s.tr > /dev/full
	echo "exit $?"
done
