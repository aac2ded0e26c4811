# SPDX-License-Identifier: Apache-2.0
# A change of cycles as instructions x CPI x class: parts that add up, functions that
# appear and disappear, classes that only one profile has, untraced cycles.
stream() { # CLASSES, then rows: FUNCTION CYCLES INSTRUCTIONS [CLASSES]
	local i=0 name function cycles instructions classes
	printf '%s\n' 'header content=stacks' "header classes=$1" 'func f0 kind=program name=p'
	for name in main leaf grown gone born idle; do
		i=$((i + 1))
		echo "func f$i kind=function name=$name binary=p"
	done
	echo 'func f7 kind=gap name=[gap]'
	echo 'func f8 kind=function name=leaf binary=other'
	echo 'node n1 parent=n0 func=f0'
	for ((i = 2; i <= 9; i++)); do echo "node n$i parent=n1 func=f$((i - 1))"; done
	printf '%s\n' 'thread t0 name=p' 'hart 0 cycle=0'
	while read -r function cycles instructions classes; do
		printf 'srow n%s t0 cycles=%s instructions=%s%s\n' $((function + 1)) "$cycles" \
			"$instructions" "${classes:+ classes=$classes}"
	done
	echo 'end end=power-off'
}
# 1 main, 2 leaf, 3 grown, 4 gone, 5 born, 6 idle, 7 [gap], 8 leaf of another binary
stream badspec.branch,memory.l2,memory.dram,idle.wfi << 'END' | tr-text --encode -o before.tr
1 1000 500 /1*100/2*300/3*100
2 300 100 /2*50/3*150
3 70 30 /1*40
4 90 60 /1*30
6 400 0 /4*400
7 1000 0
8 11 11
1 10 10
END
stream memory.l2,memory.dram,idle.wfi,badspec.branch,core.div << 'END' | tr-text --encode -o after.tr
1 900 455 /4*145/1*200/2*100
2 320 100 /1*90/2*130
3 139 60 /4*79
5 55 50 /5*5
6 350 2 /3*348
7 1010 0
8 11 11
END
tr-diff --tma before.tr after.tr > table
echo "exit $?"
cat table
echo '# each line adds up, and the last is the sum of the others'
awk 'function part(text) { sub(/^\+/, "", text); return text + 0 }
	NR == 1 { next }
	{
		n = 0
		for (i = 8; i <= NF - 2 - ($NF == "others"); i++) n += part($i)
		if ($2 - $1 != part($3) || part($4) + part($5) != part($3) || n != part($5))
			print "not so:", $0
		for (i = 1; i <= 5; i++) sum[i] += ($NF == "all" ? -1 : 1) * part($i)
	}
	END { for (i = 1; i <= 5; i++) if (sum[i]) print "column", i, "is off by", sum[i] }' table
echo '# the other way round, nothing, and a threshold'
tr-diff --tma after.tr before.tr
tr-diff --tma before.tr before.tr
echo "exit $?"
tr-diff --tma --threshold 60 before.tr after.tr
tr-diff --tma --threshold 2% before.tr after.tr
tr-diff --tma --threshold 500 before.tr after.tr
echo "exit $?"
tr-diff --tma - after.tr < before.tr | cmp - table
tr-diff --tma -o copy -@2 before.tr after.tr
cmp copy table

echo '# a part of each run: from the first entry of a function to the first return of another, and by cycles'
for run in before after; do
	tr-text $run.tr | sed '/^srow n[34] /s/$/ fresh/' | tr-text --encode -o $run-calls.tr
done
tr-diff --tma --from p:leaf --to grown before-calls.tr after-calls.tr
tr-diff --tma --from 1000 --to 1300 before.tr after.tr
tr-diff --tma --from 1000 --to 1300 before.tr before.tr
echo "exit $?"

echo '# not to be had'
try() {
	tr-diff "$@" > out
	echo "exit $?, $(wc -c < out) bytes"
}
try before.tr after.tr
try --from leaf before.tr after.tr
try --tma --from leef before.tr after.tr
try --tma --from gone before.tr after.tr
try --tma --from 9000 before.tr after.tr
try --tma --from 20 --to 10 before.tr after.tr
try --tma --relative before.tr after.tr
try --tma --by stack before.tr after.tr
try --tma --svg x before.tr after.tr
try --tma before.tr
try --tma before.tr missing.tr
stream a < /dev/null | tr-text --encode -o empty.tr
try --tma before.tr empty.tr
echo '1 10 5 /1*6' | stream a,b | tr-text --encode -o odd.tr
try --tma before.tr odd.tr
stream a < /dev/null | sed '/^header classes/d' | tr-text --encode -o none.tr
try --tma none.tr before.tr
echo '1 10 9 /30*1' | stream "$(seq -s , 40 69)" | tr-text --encode -o many.tr
try --tma before.tr many.tr
printf '1 4611686018427387903 4611686018427387902 /1*1\n1 1 1\n' | stream a |
	sed 's/^srow n2 t0 cycles=1 /hart 1\n&/; 1s/$/\nheader harts=2/' | tr-text --encode -o huge.tr
try --tma before.tr huge.tr
stream memory.l2 <<< '1 100 60 /1*40' | tr-text --encode -o narrow.tr
stream memory.l2 <<< '1 100 60 /1*140' | sed '1s/$/\nheader commit_width=2/' |
	tr-text --encode -o wide.tr
tr-diff --tma narrow.tr wide.tr
try --tma - before.tr < none.tr
head -c 200 before.tr > cut.tr
try --tma cut.tr after.tr
echo 'main 12' > folded
try --tma folded folded
try --tma -o /dev/full before.tr after.tr

echo '# as much as there can be'
echo '1 4611686018427387903 1 /1*4611686018427387902' | stream a | tr-text --encode -o large.tr
echo '1 4611686018427387903 4611686018427387902 /1*1' | stream a | tr-text --encode -o longer.tr
tr-diff --tma large.tr longer.tr
