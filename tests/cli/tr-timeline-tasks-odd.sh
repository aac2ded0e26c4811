# SPDX-License-Identifier: Apache-2.0
# Tasks of which the stream tells too little, or what cannot be: no crash, and a warning if
# who runs is in doubt.
# go NAME: standard input has the hits of a stream, whose only thread runs from 0 to 1000.
go() {
	echo "# $1"
	{
		cat <<- 'END'
			header content=stacks
			header probe.0=fork
			header probe.0.fields=child,tgid,ppid,parent,comm
			header probe.1=exec
			header probe.1.fields=comm,pid,filename,argv
			header probe.2=exit
			header probe.2.fields=pid,code
			header probe.3=switch
			header probe.3.fields=prev,prev_comm,prev_state,next,next_comm,prev_tgid,next_tgid
			header probe.4=wakeup
			header probe.4.fields=pid,comm,waker,waker_comm,began
			header probe.5=syscall
			header probe.5.fields=pid,number,arg0,arg1,arg2,arg3,arg4,arg5
			header probe.6=syscall_result
			header probe.6.fields=pid,result
			header probe.7=comm
			header probe.7.fields=pid,comm
			header probe.8=stack
			header probe.8.fields=free,size
			header probe.9=masked
			header probe.9.fields=began,from,to
			func f0 kind=program binary=p name=p
			node n1 parent=n0 func=f0
			thread t0 tp=4096 name=p
			hart 0
		END
		cat
		echo 'srow n1 t0 cycles=1000 instructions=1 fresh'
		echo 'end end=power-off'
	} | tr-text --encode -o s.tr || return
	tr-timeline --table processes s.tr
	tr-timeline --table wakeups s.tr
	tr-timeline --format svg -o picture.svg s.tr
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' picture.svg
	tr-timeline -o perfetto s.tr
	protoc --proto_path="$SRC/filters/lib" --decode tr_perfetto.Trace timeline/perfetto.proto < perfetto > text
	grep -c '^packet' text
}
fork() { echo "probe 0 cycle=$1 | child=+$2 tgid=+$3 ppid=+$4 parent=+$5 comm=string:\"$6\""; }
# switch CYCLE PREV NEXT STATE [GROUP-OF-PREV GROUP-OF-NEXT]
switch() {
	echo "probe 3 cycle=$1 | prev=+$2 prev_comm=string:\"c$2\" prev_state=$4 next=+$3 next_comm=string:\"c$3\"" \
		"prev_tgid=${5:-missing} next_tgid=${6:-missing}"
}
go 'nothing is known' < /dev/null
go 'no switch was seen: a system call tells who runs, from the beginning on' < <(echo 'probe 6 cycle=400 | pid=+7 result=0'
	echo 'probe 2 cycle=900 | pid=+7 code=0')
go 'hits of two probes that are left out' < <(switch 100 0 5 0; echo 'probe 8 cycle=200 | free=missing size=100'
	echo 'probe 9 cycle=300 | began=missing from=string:"a" to=string:"b"'; echo 'probe 9 cycle=310 | began=missing from=string:"a" to=string:"b"')
go 'a switch was not seen' < <(switch 100 0 5 0; switch 200 7 8 1; switch 300 8 7 1)
go 'a number is reused' < <(fork 100 5 5 1 1 a; switch 110 0 5 0; echo 'probe 2 cycle=120 | pid=+5 code=9'
	switch 130 5 0 128; fork 200 5 5 1 1 b; switch 210 0 5 0; switch 250 5 0 1)
go 'a thread execs: it becomes the leader' < <(fork 100 5 5 1 1 a; fork 110 6 5 1 5 a; switch 120 0 6 0
	echo 'probe 1 cycle=150 | comm=string:"prog" pid=+5 filename=string:"/prog" argv=string:"prog"'; switch 200 5 0 1)
go 'its leader had ended' < <(fork 100 5 5 1 1 a; fork 110 6 5 1 5 a; switch 120 0 5 0; echo 'probe 2 cycle=125 | pid=+5 code=0'
	switch 130 5 6 128; echo 'probe 1 cycle=150 | comm=string:"prog" pid=+5 filename=string:"/prog" argv=string:"prog"'
	switch 200 5 0 1; switch 300 0 5 0; echo 'probe 2 cycle=310 | pid=+5 code=0'; switch 320 5 0 128)
go 'a leader ends before its thread' < <(fork 100 5 5 1 1 a; fork 110 6 5 1 5 a; switch 120 0 5 0; echo 'probe 2 cycle=125 | pid=+5 code=0'
	switch 130 5 6 128; echo 'probe 2 cycle=140 | pid=+6 code=0'; switch 150 6 0 128)
go 'threads that are older than the trace' < <(switch 100 0 6 0 0 5; switch 200 6 7 1 5 5; fork 210 7 5 1 1 c; switch 300 7 0 1 5 0)
go 'parents in a circle' < <(fork 100 5 5 6 6 a; fork 110 6 6 5 5 b; fork 120 7 7 7 7 c; switch 200 0 5 0)
go 'a parent that turns out to be a thread' < <(fork 100 5 5 6 6 a; fork 110 6 9 1 1 b; fork 120 6 6 1 1 c; switch 200 0 6 0)
go 'values that are missing, negative, too large, or of other kinds' < <(echo 'probe 0 cycle=10 | child=missing tgid=+1 ppid=+1 parent=+1 comm=missing'
	echo 'probe 0 cycle=20 | child=-1 tgid=+1 ppid=+1 parent=+1 comm=missing'
	echo 'probe 0 cycle=30 | child=4294967296 tgid=+1 ppid=+1 parent=+1 comm=missing'
	echo 'probe 0 cycle=40 | child=string:"5" tgid=+1 ppid=+1 parent=+1 comm=missing'
	echo 'probe 0 cycle=50 | child=0x5 tgid=5 ppid=true parent=+1 comm=missing'
	echo 'probe 7 cycle=60 | pid=+5 comm=string:"\x01\x1b[31m;<&>\xff\xfe0123456789012345678901234567890123456789"'
	switch 200 0 5 0)
go 'system calls without a beginning, a result or a name' < <(switch 100 0 5 0; echo 'probe 6 cycle=110 | pid=+5 result=+0'
	for cycle in 120 130; do echo "probe 5 cycle=$cycle | pid=+5 number=18446744073709551615 arg0=1 arg1=1 arg2=1 arg3=1 arg4=1 arg5=1"; done)
go 'wake-ups of what runs, and from the future' < <(switch 100 0 5 0; echo 'probe 4 cycle=110 | pid=+5 comm=missing waker=+5 waker_comm=missing began=105'
	switch 120 5 0 1; echo 'probe 4 cycle=130 | pid=+5 comm=missing waker=+0 waker_comm=missing began=999999'; switch 140 0 5 0)
# Each process is made by the one before it: a picture has the rows of some.
echo '# a chain of processes'
awk 'BEGIN {
	print "header content=stacks\nheader probe.0=fork\nheader probe.0.fields=child,tgid,ppid,parent,comm"
	print "header probe.1=switch\nheader probe.1.fields=prev,prev_comm,prev_state,next,next_comm"
	print "func f0 kind=program name=p\nnode n1 parent=n0 func=f0\nthread t0 tp=1 name=p\nhart 0"
	for (i = 1; i <= 500; i++) {
		print "probe 0 cycle=" 100 * i - 20 " | child=" i " tgid=" i " ppid=" i - 1 " parent=" i - 1 " comm=missing"
		print "probe 1 cycle=" 100 * i - 10 " | prev=" i - 1 " prev_comm=missing prev_state=1 next=" i " next_comm=missing"
		print "srow n1 t0 cycles=100 instructions=1"
	}
	print "end end=power-off"
}' | tr-text --encode -o s.tr
tr-timeline --format svg s.tr > picture.svg
grep -c 'class="life"' picture.svg
grep -o '[0-9]* more processes are not drawn' picture.svg
# Hart 1 ends before the token of its last hit, while hart 0 goes on.
echo '# a hit beyond the last row of its hart'
printf '%s\n' 'header content=stacks' 'header probe.0=switch' 'header probe.0.fields=prev,prev_comm,prev_state,next,next_comm' \
	'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 tp=1 name=p' 'thread t1 tp=2 name=p' \
	'hart 0' 'srow n1 t0 cycles=100 instructions=1 fresh' 'hart 1' 'srow n1 t1 cycles=50 instructions=1 fresh' \
	'probe 0 cycle=90 | prev=+0 prev_comm=missing prev_state=0 next=+5 next_comm=missing' frame 'hart 0 cycle=100' \
	'srow n1 t0 cycles=100 instructions=1' 'end end=power-off' | tr-text --encode -o s.tr
tr-timeline --table processes s.tr
# A second run of tr-replay with the same probes: each hit counts once.
echo '# each hit twice'
fields() { printf 'header probe.%d=%s\nheader probe.%d.fields=%s\n' "$1" "$2" "$1" "$3"; }
{
	echo 'header content=stacks'
	for n in 0 2; do
		fields $n fork child,tgid,ppid,parent,comm
		fields $((n + 1)) switch prev,prev_comm,prev_state,next,next_comm
	done
	printf '%s\n' 'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0'
	for n in 0 2; do echo "probe $n cycle=5 | child=+5 tgid=+5 ppid=+1 parent=+1 comm=string:\"a\""; done
	for n in 1 3; do echo "probe $n cycle=7 | prev=+1 prev_comm=missing prev_state=0 next=+5 next_comm=missing"; done
	printf '%s\n' 'srow n1 t0 cycles=10 instructions=1 fresh' 'end end=power-off'
} | tr-text --encode -o s.tr
tr-timeline --table processes s.tr
echo '# hits of a hart without values'
tr-text --encode -o s.tr "$SRC/tests/cli/data/stack-probes.txt"
tr-timeline --format svg -o picture.svg s.tr && echo drawn
# A probe that lacks a field is another probe.
printf '%s\n' 'header content=stacks' 'header probe.0=switch' 'header probe.0.fields=prev,next_comm' \
	'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0' \
	'probe 0 cycle=5 | prev=+0 next_comm=string:"a"' 'srow n1 t0 cycles=10 instructions=1 fresh' 'end end=power-off' |
	tr-text --encode -o s.tr
for options in '--table processes' '--table process' '--table wakeups --by hart' '--table wakeups --format svg' \
	'--table processes --title x' '--table processes --min-cycles 0'; do
	tr-timeline $options s.tr
	echo "exit $?"
done
