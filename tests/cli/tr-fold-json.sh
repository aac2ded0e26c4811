# SPDX-License-Identifier: Apache-2.0
# Stacks and tables as JSON, which another program reads: names with quotes, bytes that are
# not UTF-8, numbers beyond 2^53; groups; a counter; classes; a histogram.
read_json() {
	python3 -c 'import json, sys
for key, value in json.load(sys.stdin).items():
	if not isinstance(value, list):
		print(key, "=", ascii(value))
	for row in value if isinstance(value, list) else []:
		print(key, *(f"{name}={ascii(cell)}" for name, cell in row.items()))'
}
tr-text --encode -o h.tr "$SRC/tests/cli/data/hostile-names.txt"
tr-fold --format json h.tr | read_json
tr-fold --format json --unit instructions h.tr | read_json
tr-report functions --format json h.tr | read_json
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
for by in program process thread privilege hart; do
	echo "# $by"
	tr-report functions --format json --by $by s.tr | read_json | sed -n 5,6p
done
echo '# classes'
tr-report tma --format json s.tr | read_json
echo '# histogram'
tr-report histogram leaf --format json s.tr | read_json
tr-report histogram main --format json s.tr | read_json
{
	printf '%s\n' 'header content=stacks' 'func f0 kind=program binary=p name=p' \
		'func f1 kind=function binary=p name=f' 'node n1 parent=n0 func=f0' \
		'node n2 parent=n1 func=f1' 'thread t0 name=p'
	for i in {1..50}; do
		printf 'srow n2 t0 cycles=%s instructions=1 fresh\nsrow n1 t0 cycles=1 instructions=1\n' $i
	done
	echo 'end end=limit'
} | tr-text --encode | tr-report histogram f --format json | read_json | grep -v '^calls '
echo '# counter'
tr-text --encode -o c.tr "$SRC/tests/cli/data/fold-counters.txt"
tr-report functions --format json --unit miss c.tr | read_json
echo '# a file of its own'
tr-report functions --format json -o t.json s.tr
tr-fold --format json -o s.json s.tr
for file in t.json s.json; do
	python3 -m json.tool $file > /dev/null && wc -l < $file
done
tr-fold --format json -d parts s.tr
cat parts/fw.json
for command in tr-fold 'tr-report functions' 'tr-report histogram main'; do
	$command --format json s.tr > /dev/full
	echo "exit $?"
done
