# SPDX-License-Identifier: Apache-2.0
# Notes of a flame graph on its figures: every instruction is one cycle, the line of
# conservation is of the whole run, colours depend on the known roles.
stacks() {
	cat << 'END'
header content=stacks
header clock_hz=1000000
header bin.0.name=p
header bin.0.role=any
header bin.1.name=u
header bin.1.role=user
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=main
func f2 kind=program binary=u name=u
func f3 kind=function binary=u name=work
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n0 func=f2
node n4 parent=n3 func=f3
thread t0 name=p
srow n2 t0 cycles=100 instructions=100
srow n4 t0 cycles=50 instructions=50
end end=limit
END
}
notes() {
	echo "$1"
	sed -n 's/.*<text class="note[^>]*>\([^<]*\)<.*/\1/p' "$2"
}
stacks | sed '1a header precision=instructions' | tr-text --encode -o i.tr
stacks | sed '1a header precision=cycles' | tr-text --encode -o c.tr
tr-fold -d out --svg i.svg i.tr
tr-fold --svg c.svg c.tr > /dev/null
tr-fold --unit instructions --svg n.svg i.tr > /dev/null
notes 'all' i.svg
notes 'program p' out/p.svg
notes 'program u' out/u.svg
notes 'cycles of hardware' c.svg
notes 'instructions' n.svg
