#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script PROGRAM normal|gprof|process|global: runs a program, without or with the run-time
# profiler, checks its result, and gives the files that were written to whoever traces.
program=$1
mkdir -p /tmp
cd /tmp
case $2 in
process) profiler='prof-inject /prof' ;;
global) profiler='prof-inject -g /prof' ;;
*) profiler= ;;
esac

status=0
case $program in
*) measure $profiler /bin/$program || status=$? ;;
esac
echo "$program: status $status"
hand_over gmon.out /tmp/prof-*/*.dat > /dev/null
exit $status
