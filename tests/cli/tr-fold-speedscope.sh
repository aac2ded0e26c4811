# SPDX-License-Identifier: Apache-2.0
# speedscope's format in order of time: the cycles between the events of a stack are those of
# the folded text, also with the options that change stacks; sums are as without it.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
sed '0,/^srow/s//scontext priv=U process=0\nsrow/' "$SRC/tests/cli/data/hostile-names.txt" | tr-text --encode -o h.tr
add_up() {
	awk '{ cycles = $NF; sub(/ [0-9]+$/, ""); sum[$0] += cycles }
		END { for (stack in sum) if (sum[stack]) printf "%s %d\n", stack, sum[stack] }' | sort
}
compare() {
	echo "# $*"
	tr-fold "$@" --format speedscope -o got.json s.tr 2> said
	python3 "$SRC/tests/timeline/read-speedscope.py" got.json | add_up > got
	tr-fold "$@" -o folded s.tr 2> said
	sed 's/^[a-z]*#[0-9]*;//; s/^hart 0;//' folded | add_up | diff got - && echo "$(wc -l < got) stacks are the same"
}
for by in joined thread hart; do compare --by $by; done
compare --by hart --idle
compare --idle --by thread
compare --focus leaf
compare --hide leaf --merge-recursion
compare --fold linux
compare --from 10 --to 31
compare --from main --to 180
echo '# with other outputs'
tr-fold --format speedscope --by thread --title 'a "title"' --svg with.svg s.tr | python3 -m json.tool --compact | cut -c 1-300
tr-fold -o folded --by thread --title 'a "title"' --svg without.svg s.tr
cmp with.svg without.svg && echo same
tr-fold --format speedscope h.tr
echo '# what it cannot show'
for option in '--by process' '--by program' '--by privilege' '--unit instructions' '-d parts'; do
	tr-fold --format speedscope $option s.tr
	echo "status $?"
done
echo '# trouble'
tr-fold --format speedscope s.tr > /dev/full
echo "status $?"
head -c 300 s.tr | tr-fold --format speedscope > got
echo "status $?"
tr-text --encode < /dev/null | tr-fold --format speedscope
echo "status $?"
printf 'header content=stacks\nend end=power-off\n' | tr-text --encode | tr-fold --format speedscope
echo "status $?"
