# SPDX-License-Identifier: Apache-2.0
# --format autofdo: llvm-profdata reads it and writes the same; the totals and entries of
# functions are those that awk and addr2line count in the tokens; refusals.
. "$SRC/tests/cli/tr-fold-soup.inc"
tr-fold --format autofdo -o soup.afdo counts.tr
llvm-profdata merge --sample --text -o merged.afdo soup.afdo
grep -v '^#' soup.afdo | diff - merged.afdo && echo "the same by llvm-profdata"

tr-text --tokens soup.tr | awk '$1 == "token" { n[$2]++ } END { for (pc in n) print pc, n[pc] }' | sort > executions
cut -d' ' -f1 executions | riscv64-unknown-elf-addr2line -a -f -i -s -e soup.elf > lines
riscv64-unknown-elf-nm soup.elf | awk '$2 ~ /[Tt]/ { print "0x" substr($1, length($1) - 7), $3 }' > entries
awk 'FILENAME == "executions" { count[$1] = $2; next }
	FILENAME == "entries" { entry[$2] = $1; next }
	/^0x/ { if (pc && known) total[name] += count[pc]; pc = "0x" substr($1, length($1) - 7); first = 1; next }
	first { name = $1; first = 0; getline place; known = place !~ /\?/; next }
	{ name = $1; getline place }
	END {
		if (pc && known) total[name] += count[pc]
		for (name in total) print name ":" total[name] ":" count[entry[name]] + 0
	}' executions entries lines | sort > expected
grep -E '^[^ #]' soup.afdo | sort | diff expected - && cat expected

echo '== a parser'
awk '/^#/ { next }
	{
		match($0, /^ */)
		depth = RLENGTH
		if (depth > last + 1) print "depth", NR
		line = substr($0, depth + 1)
		if (!depth && line !~ /^[^: ]+:[0-9]+:[0-9]+$/) print "function", NR
		if (depth && line ~ /^[0-9]+(\.[0-9]+)?: [0-9]+( [^: ]+:[0-9]+)*$/) { last = depth - 1; samples++ }
		else if (depth && line ~ /^[0-9]+(\.[0-9]+)?: [^: ]+:[0-9]+$/) { last = depth; inlined++ }
		else if (depth) print "line", NR
		else last = 0
	}
	END { print (samples > 10 && inlined > 1) ? "samples and inlined calls" : "too few" }' soup.afdo

echo '== calls'
awk '/^ *[0-9.]+: [0-9]+ / { for (i = 3; i <= NF; i++) { split($i, call, ":"); sum[call[1]] += call[2] } }
	END { for (name in sum) print name, sum[name] }' soup.afdo | sort > calls
tr-report functions plain.tr | awk 'NF == 13 && $13 !~ /^(soup|main|_start|function)$/ { print $13, $1 }' |
	sort | diff - calls && cat calls

echo '== golden'
tr-text --encode -o spans.tr "$SRC/tests/cli/data/spans.txt"
tr-fold --format autofdo spans.tr

echo '== refused'
try() { tr-fold --format autofdo "$@"; echo "exit $?"; }
try plain.tr
try --from main counts.tr
try --by process counts.tr
riscv64-unknown-elf-strip -g soup.elf
tr-match --bins soup.elf soup.raw | tr-unwind --addresses -o stripped.tr 2> /dev/null
try stripped.tr
tr-fold --format autofdo counts.tr > /dev/full
echo "exit $?"
try -d parts counts.tr
