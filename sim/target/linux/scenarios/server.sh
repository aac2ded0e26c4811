#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The server of iperf3 between two machines: script.sh [--interrupts MASK] [MTU], as client.sh.
# The counters are printed when both sides are silent.
mask=
[ "$1" != --interrupts ] || { mask=$2; shift 2; }
[ -z "$1" ] || ifconfig eth0 mtu "$1"
ifconfig eth0 10.0.0.1 up
[ -z "$mask" ] || for irq in $(sed -n 's/^ *\([0-9]*\):.* eth0$/\1/p' /proc/interrupts); do
	echo "$mask" > "/proc/irq/$irq/smp_affinity"
done
iperf3 --server --one-off --format m
usleep 50000
cat /proc/net/dev /proc/net/softnet_stat /proc/net/snmp /proc/net/netstat /proc/interrupts
