#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iperf3 over loopback: script.sh BYTES. The client starts when the server listens on
# its port, 0x1451. The default payload would be 10 M instructions of random numbers.
ifconfig lo 127.0.0.1 up
iperf3 --server --one-off --format m &
until grep -q ':1451 00000000:0000 0A' /proc/net/tcp; do
	usleep 1000
done
iperf3 --client 127.0.0.1 --bytes "$1" --length 16K --repeating-payload --format m || exit 1
wait
