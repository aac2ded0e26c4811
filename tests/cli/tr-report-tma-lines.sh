# SPDX-License-Identifier: Apache-2.0
# Source lines within their functions, by class of lost cycles, of a stream with lines; they are
# those of tr-annotate.
. "$SRC/tests/cli/tr-annotate.inc"
tr-unwind --lines -o lines.tr run.tr
tr-report tma lines.tr
echo '# by program, for programs'
tr-report tma --by program --format csv lines.tr | grep -E '^table|^lines'
echo '# slots'
sed 's/^header classes.*/&\nheader commit_width=2/' run.txt | tr-text --encode | tr-unwind --lines |
	tr-report tma --format csv | grep '^lines' | cut -d, -f 8-12,30-
echo '# the same in each function as by tr-annotate'
tr-report tma --format csv lines.tr | awk -F, '
	$1 == "table" { delete column; for (i = 1; i <= NF; i++) column[$i] = i }
	$1 == "lines" { print $column["function"], $column["line"], $column["self_cycles"] }' | sort > theirs.txt
tr-annotate --all --format csv run.tr | sed 's/"[^"]*"/insn/' | awk -F, '
	NR > 1 && $7 != "" && $11 { sum[$2 " " $7 ":" $8] += $11 }
	END { for (place in sum) print place, sum[place] }' | sort > ours.txt
diff ours.txt theirs.txt && wc -l < ours.txt
echo '# a stream without lines'
tr-unwind run.tr | tr-report tma | grep -c line || :
