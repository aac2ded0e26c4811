# SPDX-License-Identifier: Apache-2.0
# Damaged files and wrong options are refused with a line that gives the reason.
. "$SRC/tests/cli/tr-report-counters.inc"
csv > good.csv
try() {
	tr-report counters "$@" > out
	echo "exit $?, $(wc -c < out) bytes"
}
bad() { # SED-SCRIPT
	sed "$1" good.csv > bad.csv
	try bad.csv
}
bad 1s/1/2/
bad 1s/version/Cycle/
bad 2s/Clock/Block/
bad '3,$d'
bad 2d
bad 3s/,.*//
bad '3s/$/,fence/'
bad '3s/fence/a\x01b/'
bad '3s/$/,extra/'
bad '4s/$/"more"/'
bad '4s/"$//'
bad '5s/Accumulate/Mean/7'
bad '5s/,Accumulate$//'
bad '6s/event width/width/'
bad '7d'
bad '8,$d'
bad '9d'
bad '8p;9d'
bad '9s/,600/,600,1/'
bad '9s/,600/,-600/'
bad '9s/,600/,/'
bad '9s/,600/,6e2/'
bad '9s/,600/,18446744073709551616/'
bad '9s/,600/,601/'
bad '9s/,40,/,18446744073709551000,/'
bad '8s/^0,0,0/0,0,601/'
bad '8s/^0/1001/'
bad '9s/^1000,1000/1000,/'
bad 's/local_cycle/cycle/'
bad 's/class.none/class.nothing/'
bad 's/class.core.div/class./'
bad 's/class.core.div/class.memory.l2/'
bad 's/class.core.div/"class.core.div,core.mul"/'
bad '9s/0/\x00/'
printf '%s' "$(cat good.csv)" > bad.csv
try bad.csv
: > bad.csv
try bad.csv
try missing.csv
try .
try good.csv - < /dev/null
sed 's/core.div/core.sqrt/' good.csv > other.csv
try good.csv other.csv
try
try --level 3 good.csv
try --level 2 --frontend good.csv
try -o good.csv good.csv
try --color good.csv
csv icache_blocked= > no.csv
try --frontend no.csv
try --formulas good.csv
try --formulas --frontend good.csv
try -o /dev/full good.csv
try -o no/such good.csv
tr-report counters good.csv > /dev/full
echo "exit $?"
{
	sleep 0.2
	tr-report counters good.csv
	echo "exit $?" >&2
} | :

echo '# cut, and bytes changed: refused, or whole lines'
size=$(wc -c < good.csv)
rows=$(head -8 good.csv | wc -c)
for ((at = 0; at < size; at += at < rows ? 11 : 1)); do
	head -c $at good.csv > cut.csv
	tr-report counters cut.csv > out 2> err && echo "taken: $at of $size"
	[ "$(wc -l < err)" = 1 ] || echo "no reason at $at"
done
for ((at = 0; at < size; at += 13)); do
	{ head -c $at good.csv; printf '\x37'; tail -c +$((at + 2)) good.csv; } > flip.csv
	tr-report counters flip.csv > out 2> err
	case $? in
	0) ;;
	2) [ "$(wc -l < err)" = 1 ] || echo "no reason at $at" ;;
	*) echo "died at $at" ;;
	esac
done
