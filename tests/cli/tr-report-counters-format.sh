# SPDX-License-Identifier: Apache-2.0
# The tables as CSV and JSON; a file whose name has a comma, quotes and a line break.
. "$SRC/tests/cli/tr-report-counters.inc"
odd=$'a,"b"\n.csv'
csv > "$odd"
csv local_cycle=2000 class.none=1600 instructions_issued=1650 instructions_retired=1600 > two.csv
tr-report counters --format csv "$odd" two.csv
tr-report counters --format csv --frontend "$odd" two.csv
tr-report counters --format csv --level 2 two.csv
tr-report counters --format json --level 2 "$odd" two.csv | python3 -c 'import json, sys
for key, value in json.load(sys.stdin).items():
	print(key, len(value) if isinstance(value, list) else value)
	if isinstance(value, list):
		print(ascii(value[0]), ascii(value[-1]), sep="\n")'
tr-report counters --format xml two.csv
echo "exit $?"
tr-report counters --format json two.csv > /dev/full
echo "exit $?"
