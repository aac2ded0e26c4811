#!/usr/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# Process 1 for a program of Debian: runs /workload.sh between two marks on the console,
# without messages of the kernel, and powers off.
export PATH=/usr/sbin:/usr/bin LC_ALL=C
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs devtmpfs /dev
busybox dmesg -n 1
echo '--- begin'
busybox sh /workload.sh 2>&1
echo "--- end: status $?"
busybox poweroff -f
