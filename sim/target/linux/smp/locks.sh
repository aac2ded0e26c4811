#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Threads that all want one mutex, in two programs at the same time, and processes that share
# a pipe: so the harts contend for futexes, run queues and the locks of the file system.
ifconfig lo 127.0.0.1 up
grep -c ^hart /proc/cpuinfo
threads 3000 &
threads 3000 &
pipes 300 &
wait
echo done
