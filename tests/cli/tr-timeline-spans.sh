# SPDX-License-Identifier: Apache-2.0
# Interrupts, softirqs, page faults, and waits for locks, with the one that holds them.
{
	cat <<- 'END'
		header content=stacks
		header probe.0=switch
		header probe.0.fields=prev,prev_comm,prev_state,next,next_comm
		header probe.1=wakeup
		header probe.1.fields=pid,comm,waker,waker_comm,began
		header probe.2=interrupt
		header probe.2.fields=pid,number,began,name
		header probe.3=softirq
		header probe.3.fields=pid,number,began,name
		header probe.4=fault
		header probe.4.fields=pid,tgid,address,major,began,failed,file
		header probe.5=lock
		header probe.5.fields=pid,tgid,address,holder,kind,name
		header probe.6=lock_end
		header probe.6.fields=pid
		func f0 kind=program binary=p name=p
		node n1 parent=n0 func=f0
		thread t0 tp=4096 name=p
		hart 0
	END
	switch() { echo "probe 0 cycle=$1 | prev=+$2 prev_comm=string:\"c$2\" prev_state=$4 next=+$3 next_comm=string:\"c$3\""; }
	wake() { echo "probe 1 cycle=$1 | pid=+$2 comm=string:\"c$2\" waker=+$3 waker_comm=string:\"c$3\" began=$4"; }
	span() { echo "probe $1 cycle=$3 | pid=+5 number=$4 began=$2 name=string:\"$5\""; }
	fault() { echo "probe 4 cycle=$2 | pid=+$3 tgid=+5 address=4096 major=+$4 began=$1 failed=+$5 file=string:\"$6\""; }
	lock() { echo "probe 5 cycle=$1 | pid=+$2 tgid=+5 address=$3 holder=$4 kind=string:\"$5\" name=$6"; }
	unlock() { echo "probe 6 cycle=$1 | pid=+$2"; }
	switch 1 0 5 0
	# The timer twice, in the second one a disk; a number without a name; other harts' as -1.
	span 2 10 30 5 timer
	span 3 31 41 1 TIMER
	span 2 110 140 7 disk
	span 2 100 150 5 timer
	span 3 151 158 9 RCU
	span 2 160 161 -1 IPI
	echo 'probe 2 cycle=170 | pid=+5 number=9 began=165 name=missing'
	# Threads 5 and 6 of a process: their faults are one row.
	fault 200 210 5 0 0 libc.so
	fault 210 250 6 1 0 libc.so
	fault 250 251 6 0 1 '[anon]'
	# 6 waits for what 5 holds, sleeps and is woken; then for a futex, which 7 wakes; then for
	# one that nobody wakes, as it times out. 7 waits at the end. An end without a beginning.
	switch 300 5 6 0
	lock 310 6 4096 +5 mutex 'string:"inode_lock"'
	switch 320 6 5 2
	wake 340 6 5 335
	switch 360 5 6 1
	unlock 365 6
	lock 400 6 8192 +0 futex missing
	switch 405 6 7 1
	wake 450 6 7 445
	switch 460 7 6 1
	unlock 480 6
	lock 500 6 8192 +0 futex missing
	unlock 503 6
	unlock 510 6
	switch 600 6 7 1
	lock 610 7 4096 +6 mutex 'string:"inode_lock"'
	switch 620 7 0 2
	echo 'srow n1 t0 cycles=1000 instructions=1 fresh'
	echo 'end end=power-off'
} | tr-text --encode -o s.tr
for table in interrupts softirqs faults locks; do
	for format in text csv json; do
		echo "# $table, $format"
		tr-timeline --table $table --format $format s.tr
	done
done
echo '# what ends from 120 to 365'
for table in interrupts softirqs faults locks; do tr-timeline --table $table --from 120 --to 365 s.tr; done
# A kernel that has no such functions.
tr-text s.tr | sed 's/^header probe.5.fields.*/&\nheader probe.5.absent=no function __mutex_lock_slowpath in vmlinux/' |
	grep -v '^probe 5' | tr-text --encode -o without.tr
tr-timeline --table locks without.tr
echo "exit $?"
# What began after it ended cannot be.
tr-text s.tr | sed 's/\(^probe [24] .*\)began=[0-9]*/\1began=99999/' | tr-text --encode -o future.tr
tr-timeline --table interrupts future.tr
tr-timeline --table faults future.tr
