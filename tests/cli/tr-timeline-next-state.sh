# SPDX-License-Identifier: Apache-2.0
# A probe "switch" with the state of the task that a hart leaves, but not which one that is:
# it is the one that the hart was last known to run. The tables are those of a stream that
# tells which one.
# go FIELDS: the tables of a stream whose switches have these fields.
go() {
	tr-text --encode -o s.tr << END
header content=stacks
header probe.0=switch
header probe.0.fields=$1
func f0 kind=program binary=p name=p
node n1 parent=n0 func=f0
thread t0 name=a
hart 0
srow n1 t0 cycles=0 instructions=0 fresh
$(cat)
srow n1 t0 cycles=1000 instructions=1
end end=power-off
END
	tr-timeline --table activations s.tr
}
go next_task,next_comm,prev_state,prev_task,prev_comm << END > both
probe 0 cycle=100 | next_task=0x10 next_comm=string:"a" prev_state=+1 prev_task=0x20 prev_comm=string:"b"
probe 0 cycle=300 | next_task=0x20 next_comm=string:"b" prev_state=+1 prev_task=0x10 prev_comm=string:"a"
probe 0 cycle=500 | next_task=0x10 next_comm=string:"a" prev_state=+0 prev_task=0x20 prev_comm=string:"b"
probe 0 cycle=750 | next_task=0x20 next_comm=string:"b" prev_state=+1 prev_task=0x10 prev_comm=string:"a"
probe 0 cycle=850 | next_task=0x10 next_comm=string:"a" prev_state=+1 prev_task=0x20 prev_comm=string:"b"
END
go next_task,next_comm,prev_state << END > state
probe 0 cycle=100 | next_task=0x10 next_comm=string:"a" prev_state=+1
probe 0 cycle=300 | next_task=0x20 next_comm=string:"b" prev_state=+1
probe 0 cycle=500 | next_task=0x10 next_comm=string:"a" prev_state=+0
probe 0 cycle=750 | next_task=0x20 next_comm=string:"b" prev_state=+1
probe 0 cycle=850 | next_task=0x10 next_comm=string:"a" prev_state=+1
END
cat both
echo '# without prev'
cat state
echo '# a state that is missing'
go next_task,next_comm,prev_state <<< 'probe 0 cycle=100 | next_task=0x10 next_comm=string:"a" prev_state=missing'
