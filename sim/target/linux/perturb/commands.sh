#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A pipeline of BusyBox's commands, to be traced.
cd /tmp
seq 1 300 > numbers
sort -rn numbers | head -n 3
cat numbers numbers | sort -n | uniq | md5sum
dd if=/bin/busybox of=copy bs=512 count=100 2> /dev/null
sha256sum copy
for i in 1 2 3 4 5; do
	echo "$i" > file$i
done
cat file? | tr '\n' ' '
rm file? copy numbers
