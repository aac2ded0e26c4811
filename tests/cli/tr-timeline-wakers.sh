# SPDX-License-Identifier: Apache-2.0
# Who woke whom, and how long threads waited for a hart: after they were woken, and after they
# were left although they could have run on.
# stream FIELDS: standard input has the hits of a stream of one hart, from 0 to 1000.
stream() {
	{
		printf '%s\n' 'header content=stacks' 'header probe.0=switch' "header probe.0.fields=$1" 'header probe.1=wakeup' \
			'header probe.1.fields=pid,comm,waker,waker_comm,began' 'func f0 kind=program binary=p name=p' \
			'node n1 parent=n0 func=f0' 'thread t0 tp=4096 name=p' 'hart 0'
		cat
		printf '%s\n' 'srow n1 t0 cycles=1000 instructions=1 fresh' 'end end=power-off'
	} | tr-text --encode -o s.tr
}
# switch CYCLE PREV NEXT STATE
switch() { echo "probe 0 cycle=$1 | prev=+$2 prev_comm=string:\"c$2\" prev_state=$4 next=+$3 next_comm=string:\"c$3\""; }
# wake CYCLE PID WAKER BEGAN
wake() { echo "probe 1 cycle=$1 | pid=+$2 comm=string:\"c$2\" waker=+$3 waker_comm=string:\"c$3\" began=$4"; }
# 5 wakes 6 three times, which then waits 10, 20 and 60 cycles; 7 wakes it once (40). 5 is
# preempted three times (10, 35 and 60), and the idle task never waits.
stream prev,prev_comm,prev_state,next,next_comm < <(switch 10 0 5 0; switch 20 5 6 0; switch 30 6 5 1
	wake 102 6 5 100; switch 110 5 6 0; switch 145 6 5 1
	wake 203 6 5 200; switch 220 5 6 1; wake 230 5 6 225; switch 245 6 5 1
	wake 310 6 5 300; switch 360 5 6 0; switch 420 6 5 1
	switch 430 5 7 1; wake 441 6 7 440; switch 480 7 6 1; switch 490 6 0 1; switch 600 0 7 0)
for table in wakers runqueue; do
	for format in text csv json; do
		echo "# $table, $format"
		tr-timeline --table $table --format $format s.tr
	done
	echo "# $table, what ends from 111 to 250"
	tr-timeline --table $table --from 111 --to 250 s.tr
done
tr-text --encode -o s.tr "$SRC/tests/cli/data/tasks.txt"
echo '# two harts'
tr-timeline --table wakers s.tr
# Without the state of what is left, it is not known who was preempted.
stream next,next_comm < <(echo 'probe 0 cycle=5 | next=+4 next_comm=string:"a"')
tr-timeline --table wakers s.tr
tr-timeline --table runqueue s.tr
echo "exit $?"
# The kernel has no place for a probe.
printf '%s\n' 'header content=stacks' 'header probe.0=switch' 'header probe.0.fields=next' 'header probe.1=wakeup' \
	'header probe.1.fields=pid,comm,waker,waker_comm,began' 'header probe.1.absent=no function try_to_wake_up in vmlinux' \
	'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0' 'srow n1 t0 cycles=10 instructions=1 fresh' \
	'end end=power-off' | tr-text --encode -o s.tr
tr-timeline --table wakers s.tr
echo "exit $?"
