#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs on several harts: threads that move, and processes that wait for each other.
ifconfig lo 127.0.0.1 up
grep -c ^hart /proc/cpuinfo
migrate || exit 1
migrate 2 &
threads 20 &
pipes 10 &
signals &
tree 2 &
seq 1 300 | sort -rn | tr 0-9 a-j | md5sum
wait
echo done
