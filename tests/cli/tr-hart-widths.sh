# SPDX-License-Identifier: Apache-2.0
# Harts of different commit widths in one stream: a cycle has as many slots on each, so the
# slots of a hart that commits 1 in a cycle count as 4 each, and the account of each hart
# adds up to its cycles.
# stacks WIDTH [HART WIDTH]... < lines
stacks() {
	printf '%s\n' 'header content=stacks' 'header harts=2' "header commit_width=$1" \
		'header classes=memory.l2,idle.wfi'
	shift
	while [ $# -gt 0 ]; do
		echo "header commit_width.$1=$2"
		shift 2
	done
	printf '%s\n' 'func f0 kind=program name=p' 'func f1 kind=function name=work binary=p' \
		'func f2 kind=function name=wait binary=p' 'node n1 parent=n0 func=f0' \
		'node n2 parent=n1 func=f1' 'node n3 parent=n1 func=f2' 'thread t0 name=p' 'thread t1 name=p'
	cat
	echo 'end end=power-off'
}
# In order: 100 cycles, 60 with an instruction, 40 lost; then it waits. Out of order: 40 cycles
# of 4 slots.
rows() {
	cat << 'END'
hart 0 cycle=0
srow n2 t0 cycles=100 instructions=60 classes=/1*40
srow n3 t0 cycles=50 instructions=2 classes=/2*48
hart 1 cycle=0
srow n2 t1 cycles=40 instructions=100 classes=/1*60
srow n3 t1 cycles=110 instructions=4 classes=/1*4/2*432
END
}
rows | stacks 4 0 1 | tr-text --encode -o mixed.tr
tr-report classes --by hart mixed.tr
tr-report tma mixed.tr
tr-report functions mixed.tr | sed -n 2,3p
tr-fold --tma --svg classes.svg mixed.tr
sed -n '/slots/s/.*\(150 [^<]*\|300 [^<]*\)<.*/\1/p' classes.svg | head -1
tr-fold --idle mixed.tr

echo '# a window cuts the rows of each hart, and its parts add up'
for at in 30 41 77 100 101 149; do
	for window in "--to $at" "--from $at"; do
		# shellcheck disable=SC2086 # options
		tr-report tma --by hart $window --format csv mixed.tr
	done | awk -F, '
		/^table/ { for (i = 1; i <= NF; i++) column[$i] = i; columns = NF; next }
		$1 == "functions" { for (i in column) if (i ~ /_slots$/) sum[i] += $column[i] }
		END {
			printf "%d:", '$at'
			n = split("self retiring memory.l2 idle.wfi", name, " ")
			for (i = 1; i <= n; i++) printf " %s %d", name[i], sum[name[i] "_slots"]
			print ""
		}'
done

echo '# without the key three of four slots have no class; not a divisor; not the hart'
rows | stacks 4 | tr-text --encode -o plain.tr
tr-report classes --by hart plain.tr | sed '/^hart 1/,$d'
for odd in '0 3' '0 0' '0 x' '2 1'; do
	# shellcheck disable=SC2086 # a hart and its width
	rows | stacks 4 $odd | tr-text --encode -o odd.tr
	tr-report classes --by hart odd.tr | tail -1
done

echo '# a cycle without a class: all of its slots, none of which is left over for the next row'
printf '%s\n' 'hart 0 cycle=0' 'srow n2 t0 cycles=10 instructions=6 classes=/1*3' 'srow n3 t0 cycles=5 instructions=5' |
	stacks 4 0 1 | tr-text --encode -o less.tr
tr-report tma less.tr

echo '# more than the hart has'
printf '%s\n' 'hart 0 cycle=0' 'srow n2 t0 cycles=10 instructions=6 classes=/1*7' | stacks 4 0 1 | tr-text --encode -o more.tr
tr-report tma more.tr
echo "exit $?"

echo '# from one core to the other: the same program, in one stream each'
side() { # HART CYCLES INSTRUCTIONS CLASSES
	printf '%s\n' "hart $1 cycle=0" "srow n2 t0 cycles=$2 instructions=$3 classes=$4"
}
side 0 1000 600 /1*400 | stacks 4 0 1 | tr-text --encode -o inorder.tr
side 1 400 600 /1*997 | stacks 4 0 1 | tr-text --encode -o ooo.tr
tr-diff --tma inorder.tr ooo.tr
echo "exit $?"
echo '# the same from streams of machines with one core'
side 0 1000 600 /1*400 | stacks 1 | tr-text --encode -o one.tr
side 0 400 600 /1*997 | stacks 4 | tr-text --encode -o four.tr
tr-diff --tma one.tr four.tr | diff - <(tr-diff --tma inorder.tr ooo.tr) && echo 'the same'
tr-diff --tma --format csv four.tr one.tr
echo '# a multiple of both'
side 0 500 600 /1*900 | stacks 3 | tr-text --encode -o three.tr
tr-diff --tma three.tr four.tr
echo '# to a build with another number of instructions: parts add up'
side 1 300 500 /1*697 | stacks 4 0 1 | tr-text --encode -o fewer.tr
tr-diff --tma inorder.tr fewer.tr
echo '# a function without an instruction on one side: those of the other are by instructions'
side 0 10 0 /1*10 | stacks 4 0 1 | tr-text --encode -o none.tr
tr-diff --tma none.tr ooo.tr
echo '# focus: the others are one function'
tr-diff --tma --focus '^work$' mixed.tr plain.tr
tr-diff --tma --focus worrk mixed.tr plain.tr
echo "exit $?"
