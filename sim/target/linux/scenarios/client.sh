#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The client of iperf3 between two machines: script.sh [--interrupts MASK] BYTES [MTU]. The
# server may not listen yet; with an MTU it may be a slower machine, whose interface is not up
# yet, and the first packet would be sent again after a second. With a MASK of harts, these
# take the interrupts of eth0, as a daemon that balances them would arrange it.
mask=
[ "$1" != --interrupts ] || { mask=$2; shift 2; }
[ -z "$2" ] || { ifconfig eth0 mtu "$2"; usleep 20000; }
ifconfig eth0 10.0.0.2 up
[ -z "$mask" ] || for irq in $(sed -n 's/^ *\([0-9]*\):.* eth0$/\1/p' /proc/interrupts); do
	echo "$mask" > "/proc/irq/$irq/smp_affinity"
done
until iperf3 --client 10.0.0.1 --bytes "$1" --length 16K --repeating-payload --format m > /tmp/iperf3.txt; do
	usleep 1000
done
usleep 50000
cat /tmp/iperf3.txt /proc/net/dev /proc/net/softnet_stat /proc/net/snmp /proc/net/netstat /proc/interrupts
