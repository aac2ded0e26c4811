#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script TOOL without|with ROUNDS: a program without and with a tool that measures it, and
# then what the tool wrote, for a probe on the writes of dd.
cd /tmp
result=
case $1-$2 in
gprof-*) measure words $3 && result=gmon.out ;;
go-without) measure requests $3 ;;
go-with) measure requests $3 trace.out && result=trace.out ;;
strace-without) measure sh /commands.sh ;;
strace-with) measure strace -f -T -o strace.txt sh /commands.sh && result=strace.txt ;;
calls-without) measure /bin/calls ;;
calls-with) measure strace -f -o strace.txt /bin/calls && result=strace.txt ;;
esac || exit 1
[ $2 = without ] || dd if=$result of=/dev/null bs=4k 2> /dev/null
