# SPDX-License-Identifier: Apache-2.0
# Runs by class and by table 1, the second level, and the frontend alone. The figures of
# the first run can be computed by hand from tr-report-counters.inc.
. "$SRC/tests/cli/tr-report-counters.inc"
csv > list.csv
csv branch_miss=0 flush=0 fence=0 instructions_issued=605 recovery=0 class.badspec.branch=0 \
	class.badspec.trap=0 class.memory.dram=160 > calm.csv
tr-report counters list.csv calm.csv
echo '# the second level'
tr-report counters --level 2 list.csv
tr-report counters --level 2 calm.csv | tail -4
echo '# the frontend'
tr-report counters --frontend list.csv calm.csv
echo '# only the classes, only table 1'
csv recovery= fence= > classes.csv
csv | sed 's/,class\./,klass./g' > table1.csv
tr-report counters --level 2 classes.csv table1.csv
echo '# no event at all that B_Miss knows, nothing retired'
csv branch_miss=0 flush=0 fence=0 class.none=0 instructions_retired=0 class.idle.wfi=625 > odd.csv
tr-report counters odd.csv | head -4
echo '# four slots in a cycle'
slots="class.none=1200 class.badspec.branch=2000 class.core.ports=450 instructions_retired=1200
instructions_issued=1500 instructions_dispatched=1700 fetch_stall=300 recovery=1500 backend_stall=500"
# shellcheck disable=SC2086 # words
csv $slots > slots.csv
tr-report counters --level 2 slots.csv
csv class.none=1200 class.badspec.branch=2000 class.core.ports=450 instructions_retired= > plain.csv
tr-report counters plain.csv | head -2
# shellcheck disable=SC2086 # words
csv $slots backend_stall=501 > uneven.csv
tr-report counters uneven.csv 2>&1; echo "exit $?"
echo '# formulas beside both accounts: all terms in turn, and none'
# shellcheck disable=SC2086 # words
run() { csv $slots recovery_fetch=0 fetch_latency=100 icache_blocked=30 dcache_blocked=40 branch_miss=0 "$@"; }
run instructions_issued=1700 flush=0 fence=0 branch_miss=1 > right.csv
run instructions_issued=2300 flush=0 fence=0 branch_miss=1 > reissue.csv
run instructions_issued=1210 branch_miss=8 dcache_blocked=0 > unissued.csv
run instructions_dispatched=2900 instructions_issued=2900 recovery=300 > clears.csv
run branch_miss=100 class.badspec.branch=1950 class.core.ports=500 > twice.csv
run recovery_fetch=1200 class.badspec.branch=650 class.frontend.icache-l2=1390 icache_blocked=300 > refetch.csv
run fetch_latency=0 icache_blocked=300 dcache_blocked=200 > hidden.csv
tr-report counters --formulas right.csv reissue.csv unissued.csv clears.csv twice.csv refetch.csv hidden.csv
tr-report counters --formulas right.csv | tail -1
tr-report counters --formulas --format csv twice.csv
echo '# from the first sample to the last; tracing may be off between'
csv -z local_cycle=3000 > later.csv
csv -z local_cycle=2000 | tail -1 > between
{ csv; cat between; } > window.csv
{ csv; cat between; tail -1 later.csv; } > gap.csv
tr-report counters window.csv gap.csv | cut -c 1-40
{ csv; tail -1 later.csv | awk -F, -v OFS=, '{ for (i = 3; i <= NF; i++) $i *= 3; print }'; } > sum.csv
tr-report counters sum.csv | cut -c 1-40
echo '# names: of files, or when they are not apart of paths'
mkdir a b
cp list.csv a
cp list.csv b
tr-report counters a/list.csv calm.csv | cut -d ' ' -f 1 | grep .
tr-report counters a/list.csv b/list.csv | cut -d ' ' -f 1 | grep .
tr-report counters - < list.csv | cut -d ' ' -f 1 | grep .
sed 's/$/\r/' list.csv > a/list.csv
tr-report counters a/list.csv | diff - <(tr-report counters list.csv)
