# SPDX-License-Identifier: Apache-2.0
# Goroutines, from hits of go.probes: two threads of a process on two harts. Goroutine 1 runs
# on thread 5, moves to the other hart with it, makes goroutine 2, lets its stack grow and
# waits for it. Goroutine 2 runs on thread 6, is preempted, and ends; its place is used again.
status() { echo "probe 1 cycle=$1 | g=$2 goid=+$3 old=string:\"$4\" new=string:\"$5\" reason=string:\"${6-}\""; }
switch() {
	echo "probe 0 cycle=$1 | prev=+$2 prev_comm=string:\"c$2\" prev_state=$3 next=+$4 next_comm=string:\"c$4\"" \
		"prev_tgid=$5 next_tgid=$6"
}
{
	cat <<- 'END'
		header content=stacks
		header probe.0=switch
		header probe.0.fields=prev,prev_comm,prev_state,next,next_comm,prev_tgid,next_tgid
		header probe.1=status
		header probe.1.fields=g,goid,old,new,reason
		header probe.2=preempt
		header probe.2.fields=g,goid
		header probe.3=goroutine
		header probe.3.fields=g,goid,start
		header probe.4=exit
		header probe.4.fields=pid,code
		func f0 kind=program binary=p name=p
		node n1 parent=n0 func=f0
		thread t0 tp=4096 name=p
		thread t1 tp=8192 name=p
		hart 0
	END
	switch 10 0 0 5 0 5
	status 20 4096 0 idle dead
	status 30 4096 0 dead runnable
	echo 'probe 3 cycle=35 | g=4096 goid=+1 start=4096'
	status 40 4096 1 runnable running
	switch 100 5 1 0 5 0
	switch 190 0 0 6 0 5
	status 200 8192 2 runnable running
	echo 'probe 2 cycle=240 | g=8192 goid=+2'
	status 260 8192 2 waiting runnable
	status 270 8192 2 runnable running
	status 300 4096 1 waiting runnable
	status 310 8192 2 running dead
	status 320 8192 2 dead runnable
	echo 'probe 3 cycle=325 | g=8192 goid=+3 start=4096'
	status 328 4096 1 runnable running
	status 330 4096 1 running waiting select
	echo 'probe 4 cycle=400 | pid=+6 code=0'
	switch 410 6 128 0 5 0
	echo 'srow n1 t0 cycles=500 instructions=1 fresh'
	echo 'hart 1'
	switch 120 0 0 5 0 5
	status 130 8192 0 dead runnable
	echo 'probe 3 cycle=135 | g=8192 goid=+2 start=8192'
	status 140 4096 1 running copystack
	status 150 4096 1 copystack running
	status 180 4096 1 running waiting 'chan "a"'
	echo 'probe 4 cycle=450 | pid=+5 code=0'
	switch 460 5 128 0 5 0
	echo 'srow n1 t1 cycles=500 instructions=1 fresh'
	echo 'end end=power-off'
} > s.txt
tr-text --encode -o s.tr s.txt
goroutines() {
	tr-timeline --quiet --clock 0 "$@" s.tr |
		protoc --proto_path="$SRC/filters/lib" --decode tr_perfetto.Trace timeline/perfetto.proto |
		awk '/^packet \{/ { line = ""; next } /^\}/ { print substr(line, 2); next }
			/trusted_packet|sequence_flags/ { next } { gsub(/^ +/, ""); line = line " " $0 }' |
		awk '/name: "goroutine/ && match($0, /uuid: [0-9]+/) { track[substr($0, RSTART + 6, RLENGTH - 6)]; print }
			match($0, /track_uuid: [0-9]+/) && (substr($0, RSTART + 12, RLENGTH - 12) in track)'
}
goroutines
echo '# of a part'
goroutines --from 110 --to 190
echo '# a change that was not seen, and an address that cannot be'
sed '/cycle=240/d; /cycle=328/s/g=4096/g=9000000000000000/' s.txt | tr-text --encode -o s.tr
goroutines | grep -c track_event
