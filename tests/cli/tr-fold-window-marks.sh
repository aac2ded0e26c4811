# SPDX-License-Identifier: Apache-2.0
# Windows from a mark to a mark: the first or the nth of its name, a region up to its own end.
. "$SRC/tests/cli/marks.inc"
marks_stream | tr-text --encode -o s.tr
try() {
	echo "# $*"
	tr-fold --by hart "$@" s.tr 2>&1
	echo "exit $?"
}
set +e
try --from mark:frame --to mark:frame     # of t1, which ends on hart 1
try --from mark:frame#2 --to mark:frame#2 # with another one inside
try --from mark:frame#2 --to mark:frame
try --from mark:frame#3 --to mark:frame#3
try --from mark:frame#3 --to mark:frame#2
try --from mark:frame#3 --to mark:inner   # has no end of its own
try --from mark:frame --to mark:frame#2
try --to mark:frame
try --from 61 --to mark:frame
try --from 40 --to 'mark:a b'
try --from 'mark:a b' --to 'mark:a b'
try --from 'mark:a b#2'
try --from main --to 'mark:a b#2'
try --from mark:open --to mark:open
try --from mark:open --to mark:last
try --from mark:gone
try --to mark:gone
try --from mark:fram
try --from mark:frame#4
try --from mark:frame --to mark:frame#4
try --from mark:
try --from mark:#1
try --from mark:frame#0
try --from mark:frame#x
marks_stream | grep -v '^probe' | tr-text --encode -o s.tr
try --from mark:frame
for hits in 1 2 3; do # the window begins, whatever comes in the same frame
	marks_stream | awk -v n=$hits '/^probe/ && i++ >= n { next } { print }' | tr-text --encode -o s.tr
	try --from mark:frame#$hits
done
marks_stream | tr-text --encode -o s.tr
tr-report functions --from mark:frame --to mark:frame s.tr 2>&1
