#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The server of iperf3 between two machines.
ifconfig eth0 10.0.0.1 up
iperf3 --server --one-off --format m
cat /proc/net/dev /proc/net/snmp
