# SPDX-License-Identifier: Apache-2.0
# The figures of the TMA paper: bars of groups, classes and the frontend; names are escaped for XML.
. "$SRC/tests/cli/tr-report-counters.inc"
csv > 'a<b>&c.csv'
csv class.none=0 class.idle.wfi=625 > idle.csv
bars() {
	"$BIN/../tests/tma-bars" -o s.svg "$@" 'a<b>&c.csv' idle.csv
	sed -n 's/^<rect x="\(.*\)" y="\(.*\)" width="\(.*\)" height="\(.*\)" fill="\(.*\)"><title>\(.*\)<.title.*/\1 \3 at \2 \4 \5 \6/p
		/<text x/p; /class="in/p; /height="10"/p; /class="title"/p; /CPI/p; /%<.text>/p' s.svg
	grep -c '</svg>' s.svg
}
bars
echo '# classes'
bars --level 2 --title 'All & more'
echo '# the frontend'
bars --frontend
xmllint --noout s.svg 2> /dev/null || [ $? = 127 ] || echo 'no XML'
echo '# four slots in a cycle'
slots="class.none=1200 class.badspec.branch=2000 class.memory.dram=550 instructions_retired=1200
instructions_issued=1500 instructions_dispatched=1700 fetch_stall=300 recovery=1500 backend_stall=500"
# shellcheck disable=SC2086 # words
csv $slots branch_miss=100 > 'a<b>&c.csv'
# shellcheck disable=SC2086 # words
csv $slots branch_miss=0 > idle.csv
bars
echo '# the frontend of slots'
bars --frontend
csv icache_blocked=5000 local_cycle=1000 > more.csv
"$BIN/../tests/tma-bars" --frontend -o more.svg more.csv
sed -n 's/.*width="\(.*\)" height="11".*icache_b.*/\1/p' more.svg
