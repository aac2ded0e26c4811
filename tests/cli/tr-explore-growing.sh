# SPDX-License-Identifier: Apache-2.0
# A folder into which a run is still written, as its lock says: first no stacks, then some,
# then all; the end, and another run in the same folder.
. "$SRC/tests/cli/tr-explore.inc"
stream() { # SEED
	awk -v seed="$1" -v width=2 -f "$SRC/tests/cli/data/explore-random.awk" /dev/null |
		tr-text --encode -u
}
cycles() { body /run | sed 's/.*"cycles":\([0-9]*\).*/\1/'; }
stream 9 > one.tr
stream 2 > two.tr
size=$(stat -c %s one.tr)
mkdir run
exec 5< run
flock -x 5

echo '# no stacks yet'
start run
body /run
code GET /view
echo '# a half'
head -c $((size / 2)) one.tr > run/stacks.tr
until_run '"cycles":[1-9]'
sleep 0.3
body /run | grep -o '"done":[a-z]*'
half=$(cycles)
body /view | head -n 1 | grep -c '"cycles":[1-9]'
ls run
echo '# more'
tail -c +$((size / 2 + 1)) one.tr | head -c $((size / 4)) >> run/stacks.tr
for ((i = 0; i < 100; i++)); do
	[ "$(cycles)" -gt "$half" ] && break
	sleep 0.05
done
body /run | grep -o '"done":[a-z]*'
# Its lists of several slices are made, and some get more rows of the slower hart.
body /folded | wc -l
echo '# all'
tail -c +$((size / 2 + size / 4 + 1)) one.tr >> run/stacks.tr
exec 5<&-
until_run '"done":true'
body /folded | cmp - <(tr-fold one.tr) && echo 'the same'
for ((i = 0; i < 100; i++)); do
	[ -e run/explore.sqlite ] && break
	sleep 0.05
done
ls run
tr-explore --query /folded run | cmp - <(tr-fold one.tr) && echo 'and its index'
echo '# another run'
rm run/stacks.tr run/explore.sqlite
cp two.tr run/stacks.tr
until_run "\"cycles\":$(tr-explore --query /run run | sed 's/.*"cycles":\([0-9]*\).*/\1/'),"
body /folded | cmp - <(tr-fold two.tr) && echo 'the same'
stop

echo '# one that ends too early'
exec 5< run
flock -x 5
head -c $((size / 2)) one.tr > run/stacks.tr
start run
until_run '"cycles":[1-9]'
exec 5<&-
wait $server
echo "exit $?"
sed "s/$port/PORT/; s/record.*/.../" said
echo '# an interruption while it grows'
exec 5< run
flock -x 5
start run
until_run '"cycles":[1-9]'
stop
sed "s/$port/PORT/" said
rm run/stacks.tr
start run
stop
sed "s/$port/PORT/" said
ls run
