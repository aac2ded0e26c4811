# SPDX-License-Identifier: Apache-2.0
# A part of the stream: calls are cut where it begins and ends.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
window() {
	echo "# $*"
	tr-timeline --format speedscope "$@" s.tr
	echo "exit $?"
}
window --from 20 --to 140
window --from main --to 170
window --from leaf --to leaf
window --from 300
for options in '--from 338' '--to 0' '--from 20 --to 20' '--from mian' '--from do_idle --to nothing' \
	'--from 300 --to leaf' '--from trigger' '--from 9x'; do
	tr-timeline $options -o p s.tr
	echo "exit $?"
done
tr-timeline --from '' s.tr
echo "exit $?"
tr-timeline --format svg --from 20 --to 140 s.tr | grep 'class="note"'
