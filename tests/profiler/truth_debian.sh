#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script PROGRAM: runs one of Debian's programs without and with the run-time profiler. Its
# output and exit status must be the same. The counters are given to whoever traces.
program=/usr/bin/$1
mkdir -p /tmp /home
cd /home || exit 1

# work [PROFILER...]: what a user of the program does
work() {
	case $program in
	*/busybox-static) "$@" "$program" sh /work ;;
	*/sqlite3-*) "$@" "$program" -batch -bail :memory: < /work ;;
	*) "$@" "$program" /work ;;
	esac
	echo "exit status $?"
}
export LC_ALL=C
without=$(work 2>&1)
with=$(work prof-inject /prof 2>&1)
[ "$with" = "$without" ] && status=0 || status=1
[ "$status" = 0 ] || printf 'without:\n%s\nwith:\n%s\n' "$without" "$with"
case $without in *'exit status 7') ;; *) status=1; echo "$without" ;; esac
echo "$1: status $status"
hand_over /tmp/prof-*/*.dat > /dev/null
exit "$status"
