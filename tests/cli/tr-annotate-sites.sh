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
