# SPDX-License-Identifier: Apache-2.0
# Frames of one binary are merged into one: in the stacks, in calls, and with traps of its
# own; unknown code stays counted.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
tr-fold --fold fw -v s.tr
tr-report functions --fold fw s.tr
tr-fold --fold fw --fold linux s.tr
tr-report functions --fold p --fold fw --by program s.tr
tr-report histogram fw --fold fw s.tr
tr-fold --fold fw --svg s.svg s.tr > /dev/null
sed -n '/^"binaries"/,/^"classes"/p' s.svg

echo '# two callers, one frame'
tr-text --encode << 'END' | tr-report functions --fold p
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=a
func f2 kind=function binary=p name=b
func f3 kind=function binary=k name=k
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n2 func=f3
node n5 parent=n3 func=f3
thread t0 name=p
srow n2 t0 cycles=1 instructions=1 fresh
srow n4 t0 cycles=2 instructions=1 fresh
srow n3 t0 cycles=4 instructions=1 fresh
srow n5 t0 cycles=8 instructions=1 fresh
end end=limit
END

for name in fx q ''; do
	tr-fold --fold "$name" s.tr
	echo "exit $?"
done
tr-fold $(printf -- '--fold fw %.0s' {1..65}) s.tr
echo "exit $?"
