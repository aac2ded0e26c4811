# SPDX-License-Identifier: Apache-2.0
# The sites that lose most to mispredictions and to misses, over all functions.
. "$SRC/tests/cli/tr-annotate.inc"
for what in --mispredicts --misses; do
	tr-annotate $what run.tr
	tr-annotate $what --format csv run.tr
	tr-annotate $what --limit 1 --format json run.tr
done
echo '# of slots; behind no known branch'
sed 's/^header classes.*/&\nheader commit_width=2/; s/^row leaf/& stall 0:2\/2*3/
	s/^row rest/& stall 0:2\/2*1/' run.txt | tr-text --encode | tr-annotate --mispredicts --limit 0
echo '# marked by the source, which has no classes'
sed 's/^header classes.*/header probe.0=mispredicted\nheader probe.0.fields=/; s,/[0-9]\*[0-9]*,,g
	s/^row start2/probe 0 |\n&/; s/^row leaf/probe 0 |\n&/' run.txt > flagged.txt
tr-text --encode -o flagged.tr flagged.txt && tr-annotate --mispredicts flagged.tr
echo '# beside what the core counted from the first sample of a hart to the last: 7, 5 on two harts, 1'
count() { # LABELS FIRST LAST
	sed "s/^header classes.*/&\nheader counters.0=$1/; s/^row start$/counters 0 cycles=0 | $2\n&/; s/^end /counters 0 cycles=0 | $3\n&/" run.txt |
		tr-text --encode -o counted.tr
	tr-annotate --mispredicts counted.tr | grep -A 1 '^Located' | grep -v '^cycles'
	tr-annotate --mispredicts --format json counted.tr | grep -E 'counted|located'
	tr-annotate --mispredicts --to 50 counted.tr | grep -c '^Located' || :
}
count icache_miss,branch_miss 'icache_miss=4 branch_miss=10' 'icache_miss=5 branch_miss=17'
count hart0.branch_miss,hart1.branch_miss 'hart0.branch_miss=1 hart1.branch_miss=2' 'hart0.branch_miss=3 hart1.branch_miss=5'
count branch_miss branch_miss=1 branch_miss=2
count my_branch_miss my_branch_miss=1 my_branch_miss=2
