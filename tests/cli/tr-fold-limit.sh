# SPDX-License-Identifier: Apache-2.0
# Folded text within a limit: the smallest stacks are combined below their callers, and
# the sums remain.
deep() { # a recursion of 2000 calls, and a program of its own
	awk 'BEGIN {
		print "header content=stacks"
		print "func f0 kind=program address=0 binary=p name=p"
		print "func f1 kind=function address=1 binary=p name=interpret"
		print "func f2 kind=function address=2 binary=p name=collect"
		print "thread t0 tp=0 satp=0 name=t\nnode n1 parent=n0 func=f0\nnode n2 parent=n1 func=f2"
		print "srow n2 t0 cycles=1000 instructions=10"
		for (i = 3; i < 2003; i++) {
			print "node n" i " parent=n" (i == 3 ? 1 : i - 1) " func=f1"
			print "srow n" i " t0 cycles=" i " instructions=1"
		}
		print "end"
	}' | tr-text --encode
}
deep > s.tr
tr-fold s.tr > all.folded
sum() { awk '{ sum += $NF } END { print NR, sum }' "$1"; }
wc -c < all.folded
sum all.folded
for limit in 100M 1M 10k 200 1; do
	echo "# $limit"
	tr-fold --limit $limit -o some.folded s.tr 2>&1
	[ "$(wc -c < some.folded)" -le "${limit/k/000}" ] 2> /dev/null && echo 'within the limit'
	LC_ALL=C sort -c some.folded
	sum some.folded
done
tr-fold --limit 200 s.tr
tr-fold --limit 200 --unit instructions s.tr
for wrong in '--limit 0' '--limit 1M --format pprof' '--limit 1M -d d'; do
	# shellcheck disable=SC2086 # words
	tr-fold $wrong s.tr
	echo "status $?"
done
