#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Many of busybox's commands, and the paper's hello_world among them.
cd /tmp
hello_world 3
seq 1 400 > numbers
sort -rn numbers | head -n 3
wc numbers
cat numbers numbers | sort -n | uniq | md5sum
sed -n 's/7$/seven/p' numbers | grep -c seven
tr 0-9 a-j < numbers | cut -c 1-2 | sort | uniq -c | tail -n 2
dd if=/bin/busybox of=copy bs=4k count=16 2> /dev/null
sha256sum copy
od -x copy | head -n 1
mkdir -p a/b/c
for i in 1 2 3 4 5; do
	echo "$i" > a/b/c/file$i
done
find a -type f | xargs cat | tr '\n' ' '
cp a/b/c/file1 a/copy
mv a/copy a/moved
ls -l a
rm -r a
i=0
while [ $i -lt 50 ]; do
	i=$((i + 1))
done
expr $i \* 2
hello_world 4 &
ps | wc -l
wait
uname -s
