#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes that sleep, run, are stopped, have ended, or have lost their parent, and the
# system's own lists of them, while threads come and go.
list() {
	usleep 5000
	ps
	cat /proc/[0-9]*/stat
}
sleep 100 &
sh -c 'exec sleep 200' &
(sleep 300 &)
sh -c 'sleep 0 & exec sleep 400' &
while :; do :; done &
busy=$!
sh -c 'while :; do :; done' &
stopped=$!
kill -STOP $stopped
threads 20 > /dev/null &
list
kill -CONT $stopped
kill -9 $busy
list
