# SPDX-License-Identifier: Apache-2.0
# The instructions of a process, of a thread and of a hart are those of tr-annotate with the same
# --process and --thread, to the last execution, cycle, trap and slot, in any window; all processes
# together are the whole. Stacks of another run are refused, and counts without them say so.
. "$SRC/tests/cli/tr-unwind.inc"
. "$SRC/tests/cli/tr-explore-code.inc"
sed -i 's/^header watch.*/header watch=2,4/' run.txt
# Three processes, the second with two threads, take turns on two harts, in the kernel.
mixed() {
	grep -vE '^(row|trap|reg|xret|end|hart|note 1)' run.txt | sed 's/^header watch.*/&\nheader classes=frontend.icache,memory.dram/'
	awk 'function notes(space) {
			print "note " space " start bin=0 address=0x10000\nnote " space " main1 bin=0 address=0x10100"
			print "note " space " foo bin=0 address=0x10200\nnote " space " main2 bin=0 address=0x10108"
			print "note " space " bar1 bin=0 address=0x10300\nnote " space " bar2 bin=0 address=0x10308\nnote " space " start2 bin=0 address=0x10008"
		}
		BEGIN {
			for (space = 1; space <= 3; space++) notes(space)
			for (hart = 0; hart < 2; hart++) {
				print "hart " hart " priv=U satp=0x800000000000000" 1 + hart " tp=0xffffffff80001000 space=" 1 + hart
				for (i = 0; i < 120; i++) {
					turn = (i * 7 + hart * 3) % 4
					print "row start\nrow main1\nrow foo stall 1:" 5 + i % 3 "/2*4"
					print "row main2\nrow bar1\ntrap cause=8 priv=S epc=0x10304 cycles=" 1 + i % 4
					print "row entry\nrow handler"
					if (i % 3) {
						space = turn < 2 ? turn + 1 : turn == 2 ? 2 : 3
						print "satp 0x800000000000000" space "\nspace " space "\nreg x4 0xffffffff8000" 1 + turn + 4 * hart "000"
					}
					print "row entry2\nxret priv=U\nrow bar2\nrow start2"
				}
			}
			print "end end=power-off"
		}'
}
mixed > mixed.txt
tr-text --encode -o mixed.tr mixed.txt
mkdir mixed
tr-unwind -o mixed/stacks.tr mixed.tr
tr-annotate --all --slices mixed/annotate.slices --stacks mixed/stacks.tr mixed.tr > text.txt
tr-annotate --all mixed.tr | cmp - text.txt
# Lines "ID NAME".
list() { tr-explore --query /overview mixed | node -e '
	for (const [id, name] of JSON.parse(require("fs").readFileSync(0))[process.argv[1]]) console.log(id, name)' "$1"; }
compare() { # OPTION ID NAME FROM TO
	tr-annotate --all --format json "--$1" "$3" --from "$4" --to "$5" mixed.tr > annotated.json 2> said || { cat said; return; }
	node rows.js mixed "$1=$2&from=$4&to=$5" annotated | sort > found
	sort annotated | diff found - | head -n 5
	wc -l < found >> lines
}
length=$(tr-explore --query '/code?func=1' mixed | sed -n 's/.*"length":\([0-9]*\).*/\1/p')
end=$(tr-explore --query /run mixed | sed 's/.*"end":\([0-9]*\).*/\1/')
for part in processes:process threads:thread; do
	list "${part%:*}" > names
	while read -r id name; do
		[ "$name" != - ] || continue
		echo "${part#*:} $name"
		for window in "0 $((end + 1))" "$((7 * length)) $((60 * length))"; do
			# shellcheck disable=SC2086 # words
			compare "${part#*:}" "$id" "$name" $window
		done
	done < names
done
awk '{ n += $1 > 5 } END { print NR " comparisons, of more than 5 instructions: " n }' lines

echo '# all processes on all harts, and all threads, add up to the whole'
node rows.js mixed '' | cut -d' ' -f1-5 > whole
total() { awk '{ n[$1 " " $2] += $3; c[$1 " " $2] += $4; t[$1 " " $2] += $5 } END { for (i in n) print i, n[i], c[i], t[i] }' | sort; }
each() { # LIST QUERY...: the queries, in which N stands for each number of the list
	local i count
	count=$(list "$1" | wc -l)
	for ((i = 0; i < count; i++)); do echo "${@:2}" | sed "s/N/$i/g"; done | paste -sd' '
}
node rows.js mixed "$(each processes 'process=N&hart=0' 'process=N&hart=1')" | total | cmp - <(total < whole) && wc -l < whole
node rows.js mixed "$(each threads 'thread=N')" | total | cmp - <(total < whole) && wc -l < whole

echo '# what cannot be told'
first() { tr-explore --query "$1" "$2" | head -c 19; echo; }
first '/code?func=1&process=1' mixed
first '/code?func=1&thread=1&hart=1' mixed
tr-explore --query '/code?func=1&process=99' mixed
tr-explore --query '/code?func=1&thread=99' mixed
echo without stacks
mkdir bare
cp mixed/stacks.tr bare
tr-annotate --all --slices bare/annotate.slices mixed.tr > text.txt
first '/code?func=1&process=1' bare
first '/code?func=1&hart=1' bare
node rows.js bare '' | diff - <(node rows.js mixed '')
node rows.js bare 'hart=1&process=1' | diff - <(node rows.js mixed 'hart=1')
echo stacks with other numbers of processes
mkdir other
sed 's/space=2$/space=3/; s/satp=0x8000000000000002/satp=0x8000000000000003/' mixed.txt | tr-text --encode -o other.tr
tr-unwind -o other/stacks.tr other.tr
cp mixed/annotate.slices other
first '/code?func=1&process=1' other
first '/code?func=1' other
echo stacks of another run
grep -vxF 'row start2' mixed.txt | tr-text --encode | tr-unwind > short.tr
tr-annotate --all --slices x --stacks short.tr mixed.tr > out; echo "exit $?"
tr-text --encode run.txt | tr-unwind > small.tr
tr-annotate --all --slices x --stacks small.tr mixed.tr > out; echo "exit $?"
tr-annotate --all --slices x --stacks mixed.tr mixed.tr > out; echo "exit $?"
tr-annotate --all --stacks mixed/stacks.tr mixed.tr; echo "exit $?"
[ ! -e x ] && echo 'nothing is left'
