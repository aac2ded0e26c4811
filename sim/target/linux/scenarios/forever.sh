#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes, exec, threads, signals and faults without end.
ifconfig lo 127.0.0.1 up
while :; do
	tree 2 &
	threads &
	memory &
	timers &
	signals
	pipes
	jumps > /dev/null
	seq 1 100 | sort -rn | md5sum > /dev/null
	wait
done
