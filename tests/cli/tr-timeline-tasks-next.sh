# SPDX-License-Identifier: Apache-2.0
# Tasks of kernels whose probe "switch" tells little: the next task alone, with and without
# numbers, one that goes on, none, a name that changes, and two harts.
# go NAME FIELDS: standard input has the hits of a stream of two harts, from 0 to 1000.
go() {
	echo "# $1"
	{
		printf '%s\n' 'header content=stacks' 'header probe.0=switch' "header probe.0.fields=$2" \
			'header probe.1=start' "header probe.1.fields=$2" \
			'func f0 kind=program binary=p name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=a' 'thread t1 name=b' \
			'hart 0' 'srow n1 t0 cycles=0 instructions=0 fresh'
		sed 's/"\([^"]*\)"/string:"\1"/g; s/^\([0-9]*\)/probe 0 cycle=\1 |/' > hits
		grep -v ' hart=1' hits | sed 's/probe 0\(.*\) start=1/probe 1\1/'
		printf '%s\n' 'srow n1 t0 cycles=1000 instructions=1' 'hart 1'
		sed -n 's/ hart=1//p' hits
		printf '%s\n' 'srow n1 t1 cycles=1000 instructions=1 fresh' 'end end=power-off'
	} | tr-text --encode -o s.tr && tr-timeline --table processes s.tr
}
go numbers next < <(printf '%s\n' '100 next=+4' '300 next=+5' '400 next=+5' '600 next=+4' '500 next=+6 hart=1')
go 'numbers and names, and 0' next_pid,next_name < <(printf '%s\n' '100 next_pid=+4 next_name="motor"' '300 next_pid=+0 next_name="Idle"' \
	'400 next_pid=+4 next_name="engine"' '500 next_pid=+0 next_name="Idle" hart=1')
go 'names' next_task,next_comm < <(printf '%s\n' '100 next_task=0x1000 next_comm="motor"' '300 next_task=0x2000 next_comm="motor"' \
	'400 next_task=0x1000 next_comm="motor"' '500 next_task=0x1000 next_comm="heir"' '600 next_task=0x3000 next_comm="other" hart=1')
go 'no task, and a nameless one' next_stack,next_comm < <(printf '%s\n' '100 next_stack=0x1000 next_comm="motor"' \
	'300 next_stack=0x0 next_comm="none"' '400 next_stack=0x2000 next_comm=""' '500 next_stack=missing next_comm=missing')
go 'both, by names' prev_tp,prev_name,next_tp,next_name < <(printf '%s\n' '100 prev_tp=0x1000 prev_name="a" next_tp=0x2000 next_name="b"' \
	'300 prev_tp=0x3000 prev_name="c" next_tp=0x1000 next_name="a"' '400 prev_tp=0x1000 prev_name="a" next_tp=0x2000 next_name="b" hart=1')
go 'a start' next,next_comm < <(printf '%s\n' '50 next=+4 next_comm="motor" start=1' '300 next=+5 next_comm="radio"')
# Perfetto: switches of tasks without numbers.
go 'for Perfetto' next_task,next_comm < <(printf '%s\n' '100 next_task=0x1000 next_comm="motor"' '300 next_task=0x2000 next_comm="radio"')
tr-timeline --clock 0 --min-cycles 0 s.tr | protoc --proto_path="$SRC/filters/lib" --decode tr_perfetto.Trace timeline/perfetto.proto |
	grep -E '(prev|next)_(pid|comm)' | paste -d' ' - - - - | tr -s ' '
# Fields that tell no task.
for fields in prev next_comm next_task next_tgid,next_comm; do
	go "$fields" "$fields" < /dev/null
	echo "exit $?"
done
