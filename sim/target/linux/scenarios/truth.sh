#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All our programs, one after another and then at once.
ifconfig lo 127.0.0.1 up
for program in jumps tree threads signals memory pipes timers; do
	echo "$program"
	$program || exit 1
done
tree 2 &
threads 20 &
signals &
memory &
pipes 10 &
timers &
hello_world 3 | cat
wait
echo done
