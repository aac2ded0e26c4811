# SPDX-License-Identifier: Apache-2.0
# What the tasks of an RTOS wait for: the kernel does not number them, and a probe tells of those
# that block. By hand: a blocks at 30 and is woken by b at 40, runs from 60 to 90, but is about to
# block at 75 and goes on; b is preempted from 60 to 90, and a at the end.
stream() {
	{
		printf '%s\n' 'header content=stacks' 'header probe.0=switch' 'header probe.0.fields=next_task,next_comm' 'header probe.1=start' \
			'header probe.1.fields=next_task,next_comm' 'header probe.2=blocks' 'header probe.2.fields=left' \
			'header probe.3=wakeup' "header probe.3.fields=$1"
		cat << 'END'
func f0 kind=program name=p
func f1 kind=function name=boot
func f2 kind=function name=run
func f3 kind=function name=wait
func f4 kind=function name=wake
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n3 func=f3
node n5 parent=n3 func=f4
thread t0 name=none
thread t1 name=boot
thread t2 name=a
thread t3 name=b
hart 0
probe 1 cycle=9 | next_task=0x100 next_comm=string:"a"
srow n2 t1 cycles=10 instructions=1
srow n3 t2 cycles=10 instructions=1
probe 2 cycle=29 | left=0x100
probe 0 cycle=30 | next_task=0x200 next_comm=string:"b"
srow n4 t2 cycles=10 instructions=1
END
		echo "probe 3 cycle=40 | $2"
		cat << 'END'
srow n5 t3 cycles=10 instructions=1
probe 0 cycle=60 | next_task=0x100 next_comm=string:"a"
srow n3 t3 cycles=20 instructions=1
probe 2 cycle=75 | left=0x100
probe 0 cycle=80 | next_task=0x100 next_comm=string:"a"
probe 0 cycle=90 | next_task=0x200 next_comm=string:"b"
srow n3 t2 cycles=30 instructions=1
srow n3 t3 cycles=10 instructions=1
end end=power-off
END
	} | tr-text --encode -o s.tr
}
show() {
	echo "# $1"
	tr-fold --off-cpu --by thread s.tr
}
stream task,comm,began 'task=0x100 comm=string:"a" began=40'
show 'a is woken by b'
for table in wakers runqueue activations; do
	tr-timeline --table $table s.tr
done
stream task,comm,began 'task=0x300 comm=string:"c" began=40'
show 'another task is woken'
stream task,comm,began 'task=missing comm=string:"a" began=40'
show 'the task is missing'
tr-timeline --table wakers s.tr
stream task,comm,began 'task=0x100 comm=string:"a" began=41'
show 'a wake-up begins later than it ends'
tr-timeline --table wakers s.tr
stream pid,began 'pid=+1 began=40'
show 'a number where tasks have none'
tr-text s.tr | grep -v '^header probe.2\|^probe 2' | sed 's/probe\.3/probe.2/; s/^probe 3/probe 2/' | tr-text --encode -o without.tr
tr-fold --off-cpu --by thread without.tr
