#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sampled.sh N COMMAND...: runs it N times. sampled.sh N: work of the kernel and of programs,
# of some 60 M instructions, N times.
n=$1
shift
work() {
	seq 1 2500 > numbers
	sort -rn numbers | uniq | md5sum
	cat numbers numbers numbers | sort | uniq -c | grep -c 3
	dd if=/bin/busybox of=copy bs=4k 2> /dev/null
	sha256sum copy
	tr 0-9 a-j < numbers | sed 's/a/b/g' | wc
	for i in 1 2 3 4 5 6 7 8; do
		mkdir -p "a/$i/b"
		head -n 200 numbers > "a/$i/b/file"
		cp "a/$i/b/file" "a/$i/copy"
		expr "$i" \* 3
	done > /dev/null
	find a -type f | xargs cat | wc
	rm -r a
	hello_world 3 | tail -n 1
	hello_world 2 > /dev/null &
	ps | wc -l
	wait
}
[ $# -gt 0 ] || set -- work
cd /tmp || exit
while [ "$n" -gt 0 ]; do
	"$@"
	n=$((n - 1))
done
