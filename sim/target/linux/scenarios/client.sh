#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The client of iperf3 between two machines: script.sh BYTES. The server may not listen yet.
ifconfig eth0 10.0.0.2 up
until iperf3 --client 10.0.0.1 --bytes "$1" --length 16K --repeating-payload --format m > /tmp/iperf3.txt; do
	usleep 1000
done
cat /tmp/iperf3.txt /proc/net/dev /proc/net/snmp
