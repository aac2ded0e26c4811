# SPDX-License-Identifier: Apache-2.0
# System calls: their number, errors, cycles, median, 99th percentile and maximum, which are
# exact, by the name of the function that serves them.
# stream END: standard input has the hits of a stream of one hart, from 0 to END.
stream() {
	{
		cat <<- 'END'
			header content=stacks
			header probe.0=switch
			header probe.0.fields=prev,prev_comm,prev_state,next,next_comm,prev_tgid,next_tgid
			header probe.1=syscall
			header probe.1.fields=pid,tgid,number,function,arg0,arg1,arg2,arg3,arg4,arg5
			header probe.2=syscall_result
			header probe.2.fields=pid,result,killed
			header probe.3=exit
			header probe.3.fields=pid,code
			header probe.4=exec
			header probe.4.fields=pid,tgid,comm,filename,argv
			func f0 kind=program binary=p name=p
			node n1 parent=n0 func=f0
			thread t0 tp=4096 name=p
			hart 0
		END
		cat
		echo "srow n1 t0 cycles=$1 instructions=1 fresh"
		echo 'end end=power-off'
	} | tr-text --encode -o s.tr
}
# switch CYCLE PREV NEXT STATE [GROUP-OF-PREV GROUP-OF-NEXT]
switch() {
	echo "probe 0 cycle=$1 | prev=+$2 prev_comm=string:\"c${5:-$2}\" prev_state=$4 next=+$3 next_comm=string:\"c${6:-$3}\"" \
		"prev_tgid=+${5:-$2} next_tgid=+${6:-$3}"
}
call() { # CYCLE PID TGID NUMBER FUNCTION
	echo "probe 1 cycle=$1 | pid=+$2 tgid=+$3 number=$4 function=$5 arg0=0 arg1=0 arg2=0 arg3=0 arg4=0 arg5=0"
}
result() { echo "probe 2 cycle=$1 | pid=+$2 result=$3 killed=${4:-0}"; } # CYCLE PID RESULT [KILLED]

# Process 5 reads for 10, 20 and 70 cycles; of the last it is away for 40, and that is an
# error. Its thread 6 writes for 5, and 7, another process, reads for 30. 5 does not return
# from exit_group, 7 not from nanosleep. No function, a missing one, and suffixes.
stream 1000 < <(switch 1 0 5 0
	call 100 5 5 63 'string:"sys_read"'; result 110 5 +8
	call 200 5 5 63 'string:"sys_read"'; result 220 5 -1
	call 300 5 5 63 'string:"sys_read"'; switch 310 5 6 1 5 5
	call 320 6 5 64 'string:"__riscv_sys_write"'; result 325 6 -4096
	switch 350 6 5 1 5 5; result 370 5 -4095
	switch 380 5 7 1
	call 400 7 7 63 'string:"__se_sys_read"'; result 430 7 +0
	call 440 7 7 999 'string:"sys_ni_syscall"'; result 441 7 -38
	call 450 7 7 18446744073709551615 'string:"sys_ni_syscall"'; result 451 7 -38
	call 460 7 7 1 missing; result 461 7 +1
	call 470 7 7 260 'string:"__do_sys_wait4.cold+0x10"'; result 480 7 +1
	call 500 7 7 101 'string:"sys_nanosleep"'; switch 510 7 5 1
	call 520 5 5 94 'string:"sys_exit_group"'; echo 'probe 3 cycle=530 | pid=+5 code=0'; switch 540 5 0 128)
for table in syscalls process-syscalls; do
	for format in text csv json; do
		echo "# $table, $format"
		tr-timeline --table $table --format $format s.tr
	done
done
echo '# what ends from 150 to 435, with all its cycles'
tr-timeline --table process-syscalls --from 150 --to 435 s.tr

# 10 000 calls, of 1 to 10 000 cycles each, in another order.
echo '# all durations differ'
stream 50100000 < <(switch 1 0 5 0
	awk 'BEGIN { at = 10; for (i = 0; i < 10000; i++) { d = i * 7919 % 10000 + 1
		printf "probe 1 cycle=%d | pid=+5 tgid=+5 number=172 function=string:\"sys_getpid\" arg0=0 arg1=0 arg2=0 arg3=0 arg4=0 arg5=0\n", at
		printf "probe 2 cycle=%d | pid=+5 result=+5 killed=0\n", at += d; at++ } }')
tr-timeline --table syscalls s.tr

# The same name in the trace for Perfetto, whatever the number is called elsewhere.
echo '# names'
stream 100 << END
$(switch 1 0 5 0)
probe 1 cycle=10 | pid=+5 tgid=+5 number=63 function=string:"__riscv_sys_ownread" arg0=0 arg1=0 arg2=0 arg3=0 arg4=0 arg5=0
probe 2 cycle=20 | pid=+5 result=+5 killed=+0
END
tr-timeline --table syscalls --format csv s.tr | tail -1
tr-timeline s.tr | grep -a -o 'ownread'

# Streams that lack something.
printf '%s\n' 'header content=stacks' 'header probe.0=switch' 'header probe.0.fields=next' 'func f0 kind=program name=p' \
	'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0' 'probe 0 cycle=5 | next=+4' 'srow n1 t0 cycles=10 instructions=1 fresh' \
	'end end=power-off' | tr-text --encode -o s.tr
tr-timeline --table syscalls s.tr
echo "exit $?"
# An older probe has no function: the names are those of the numbers.
tr-text --encode -o s.tr "$SRC/tests/cli/data/tasks.txt"
tr-timeline --table syscalls --format csv s.tr
tr-timeline --table syscalls s.tr > /dev/full
echo "exit $?"

# A call whose result its task does not see, since it is killed, did not return.
echo "# a killed task"
stream 1000 < <(switch 1 0 5 0; call 100 5 5 63 'string:"sys_read"'; result 200 5 -512 1; echo 'probe 3 cycle=250 | pid=+5 code=9'; switch 260 5 0 128)
tr-timeline --table syscalls s.tr

# A thread that execs has the number of its process at the end of that call, also if the hart
# was in another task between; its call goes on, the one of the first thread does not return.
echo '# a thread execs'
for between in '' 'switch 230 5 0 0 5 0; switch 240 0 5 0 0 5'; do
	stream 1000 < <(switch 1 0 5 0; call 100 5 5 63 'string:"sys_read"'; switch 110 5 6 1 5 5
		call 200 6 5 221 'string:"sys_execve"'; switch 202 6 0 1 5 0; switch 205 0 5 0 0 5
		echo 'probe 3 cycle=207 | pid=+5 code=9'; switch 210 5 6 128 5 5
		eval "$between"
		echo 'probe 4 cycle=250 | pid=+5 tgid=+5 comm=string:"new" filename=missing argv=missing'
		result 260 5 +0; call 300 5 5 172 'string:"sys_getpid"'; result 301 5 +5; switch 400 5 0 1)
	tr-timeline --table process-syscalls s.tr
done
