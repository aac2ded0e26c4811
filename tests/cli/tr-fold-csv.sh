# SPDX-License-Identifier: Apache-2.0
# Stacks and tables as CSV, quoted so that another program reads the names back.
tr-text --encode -o h.tr "$SRC/tests/cli/data/hostile-names.txt"
tr-fold --format csv h.tr
tr-report functions --format csv h.tr > table.csv
cat table.csv
python3 -c 'import csv, sys
for row in csv.reader(open("table.csv", encoding="utf-8", newline=""), strict=True):
	print(len(row), ascii(row[-5]))'
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
for by in program process thread privilege hart; do
	tr-report functions --format csv --by $by s.tr | head -3
done
tr-report tma --format csv s.tr
sed '/^header classes/s/$/,core.div/' "$SRC/tests/cli/data/machine.txt" |
	tr-text --encode -o d.tr
tr-report tma --format csv d.tr
tr-report histogram leaf --format csv s.tr
tr-report histogram leaf --format csv --unit instructions s.tr
echo '# a table without rows has its columns'
tr-report histogram main --format csv s.tr
echo '# a stack of instructions that commit in the cycles of others'
sed 's/^srow n4 .*/srow n4 t0 cycles=0 instructions=7 fresh/; /^end cycles/s/=.*/=9007199254741197/' \
	"$SRC/tests/cli/data/hostile-names.txt" | tr-text --encode | tr-fold --format csv | tail -1
for command in tr-fold 'tr-report functions' 'tr-report histogram main'; do
	$command --format csv s.tr > /dev/full
	echo "exit $?"
done
