# SPDX-License-Identifier: Apache-2.0
# What is missing, damaged or cut is refused with one line; an index of other stacks is built
# again; one that cannot be kept is not needed.
stacks() { tr-text --encode "$@" "$SRC/tests/cli/data/machine.txt"; }
query() { # FOLDER [PATH]
	tr-explore --query "${2-/run}" "$1" 2>&1 | cut -c1-100
	echo "exit ${PIPESTATUS[0]}"
}
echo '# the command line'
tr-explore
tr-explore a b
tr-explore --port 70000 a
tr-explore --port 1 --query /run a
echo "exit $?"
echo '# no folder, no stacks'
query none
timeout 20 tr-explore none
echo "exit $?"
mkdir run
query run
: > file
query file
echo '# a stream of rows, an empty file, a cut one'
printf '%s\n' 'header content=rows' 'end end=power-off' | tr-text --encode -o run/stacks.tr
query run
: > run/stacks.tr
query run
stacks -o whole.tr
size=$(stat -c %s whole.tr)
head -c $((size - 20)) whole.tr > run/stacks.tr
query run
ls run
echo '# no such request'
cp whole.tr run/stacks.tr
for path in /none run '' '/view?from=x' '/view?from=5&to=5' '/view?root=18' '/view?root=99999999999' '/view?process=77' \
	'/view?width=-1' '/names?since=x' '/view?from=18446744073709551616' '/../stacks.tr'; do
	query run "$path"
done
query run '/view?from=18446744073709551614&to=18446744073709551615' | head -n 1
query run '/view?&&&to=100&x' | head -n 1
echo '# an index'
ls run
before=$(stat -c %Y%i run/explore.sqlite)
tr-explore --query /folded run | cmp - <(tr-fold whole.tr)
[ "$(stat -c %Y%i run/explore.sqlite)" = "$before" ] && echo 'is read'
echo '# of other stacks'
sed 's/cycles=100 /cycles=101 /' "$SRC/tests/cli/data/machine.txt" | tr-text --encode -o run/stacks.tr
tr-explore --query /folded run | cmp - <(tr-fold run/stacks.tr) && echo 'is built again'
touch -d 2001-01-01 run/stacks.tr
before=$(stat -c %i run/explore.sqlite)
query run > out
[ "$(stat -c %i run/explore.sqlite)" != "$before" ] && echo 'of another time, too'
echo '# damaged'
cp run/explore.sqlite good
for at in 0 18 200; do
	cp good run/explore.sqlite
	printf '\xff\xff' | dd of=run/explore.sqlite bs=1 seek=$at conv=notrunc status=none
	query run | sed "s/^tr-explore/$at: &/"
done
: > run/explore.sqlite
query run
head -c 5000 good > run/explore.sqlite
query run
echo '# each byte flipped: refused, built again, or the same answer'
tr-explore --query /view run > expected 2> said || { rm run/explore.sqlite; tr-explore --query /view run > expected; }
size=$(stat -c %s good) wrong=0 refused=0
for ((at = 7; at < size; at += size / 40)); do
	cp good run/explore.sqlite
	byte=$(od -An -tu1 -j $at -N 1 good)
	printf "\\x$(printf %02x $((byte ^ 0x41)))" | dd of=run/explore.sqlite bs=1 seek=$at conv=notrunc status=none
	if tr-explore --query /view run > found 2> said; then
		cmp -s found expected || wrong=$((wrong + 1))
	else
		[ $? = 2 ] && [ "$(wc -l < said)" = 1 ] && refused=$((refused + 1)) || wrong=$((wrong + 1))
	fi
done
echo "wrong: $wrong, some refused: $((refused > 5))"
echo '# a link to another database, a folder in its place'
rm run/explore.sqlite
mkdir run/explore.sqlite
query run
rmdir run/explore.sqlite
ls run
echo '# pipes that nobody writes to'
mkfifo run/explore.sqlite
query run
rm run/explore.sqlite run/stacks.tr
mkfifo run/stacks.tr
query run
