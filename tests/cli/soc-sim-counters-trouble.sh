# SPDX-License-Identifier: Apache-2.0
# Unknown counters, and CSV files that cannot be written: one line with the reason, and
# exit status 2; all rows written are complete.
. "$SRC/tests/cli/soc-model.inc"
program forever.elf <<< '.globl _start; _start: j _start'
trap '' XFSZ
try() {
	soc-sim "$@" --max-cycles 2M forever.elf
	echo "$*: status $?" >&2
}
try --counters l1d_refil --counters-csv a.csv
try --counters 'l1d_refill,x*' --counters-csv a.csv
try --counters 'wfi,' --counters-csv a.csv
try --counters '' --counters-csv a.csv
try --counters "$(printf '%300s' '')" --counters-csv a.csv
try --counters wfi
try --counters-csv a.csv
try --counters-every 5
try --counters wfi --counters-every 0 --counters-csv a.csv
try --counters wfi --counters-every x --counters-csv a.csv
ls a.csv 2>/dev/null
try --counters wfi --counters-csv /no/such/folder/a.csv
try --counters wfi --counters-csv forever.elf
try --counters wfi --counters-csv a.csv --trace a.csv
try --counters wfi --counters-csv - --trace - | head -c 20
try --counters wfi --counters-csv /dev/full
try --counters wfi --counters-csv - > /dev/full
try --counters wfi --counters-csv - >&-
try --counters wfi --counters-csv - --counters-every 100 | :
soc-sim --counters list > /dev/full
echo "list: status $?" >&2
soc-model --counters wfi forever.elf 2>&1 | head -n 1 >&2

{
	ulimit -f 4
	try --counters uart_rx --counters-every 1k --counters-csv cut.csv
} 2>&1 | cat >&2
awk -F, 'NR == 3 { n = NF } NR > 3 && NF != n' cut.csv
tail -c 1 cut.csv | od -An -c >&2
{
	soc-sim --counters all --counters-every 100 --counters-csv /dev/fd/3 forever.elf 3>&1 > /dev/null
	echo "a closed pipe: status $?" >&2
} | head -n 1

# On a signal the last row is written.
env --default-signal=INT soc-sim --counters wfi --counters-csv signal.csv --counters-every 100M forever.elf &
while [ ! -s signal.csv ]; do sleep 0.1; done
kill -INT $!
wait $!
echo "SIGINT: status $?, $(tail -n +8 signal.csv | wc -l) rows" >&2
