#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# As iperf3.sh, with both sides under strace: script.sh BYTES.
ifconfig lo 127.0.0.1 up
strace -f -o /tmp/server.txt iperf3 --server --one-off --format m &
until grep -q ':1451 00000000:0000 0A' /proc/net/tcp; do
	usleep 1000
done
strace -f -o /tmp/client.txt iperf3 --client 127.0.0.1 --bytes "$1" --length 16K --repeating-payload --format m || exit 1
wait
wc -l /tmp/server.txt /tmp/client.txt
