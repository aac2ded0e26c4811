#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The server of iperf3 between two machines: script.sh [MTU]. The counters are printed when
# both sides are silent.
[ -z "$1" ] || ifconfig eth0 mtu "$1"
ifconfig eth0 10.0.0.1 up
iperf3 --server --one-off --format m
usleep 50000
cat /proc/net/dev /proc/net/softnet_stat /proc/net/snmp /proc/net/netstat
