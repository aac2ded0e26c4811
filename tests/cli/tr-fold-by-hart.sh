# SPDX-License-Identifier: Apache-2.0
# By hart: a call that moves from hart 0 to hart 7, waiting on each hart, and a frame
# without hart 0, in which the other one keeps its rows, window and counters.
cat > s.txt << 'END'
header content=stacks
header classes=idle.wfi
header counters.0=misses
header harts=8
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=f
func f2 kind=function binary=p name=g
func f3 kind=program binary=k name=idle
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n0 func=f3
thread t0 tp=0x1 name=p
thread t1 tp=0x2 name=k
thread t2 tp=0x3 name=k
hart 0 cycle=0
counters 0 cycle=0 | misses=0
srow n1 t0 cycles=10 instructions=10 fresh
srow n2 t0 cycles=20 instructions=20 fresh
srow n4 t1 cycles=70 instructions=10 fresh classes=/1*60
counters 0 cycle=100 | misses=100
hart 7 cycle=0
counters 0 cycle=0 | misses=0
srow n4 t2 cycles=30 instructions=5 fresh classes=/1*25
srow n3 t0 cycles=40 instructions=40 fresh
srow n2 t0 cycles=5 instructions=5
srow n1 t0 cycles=25 instructions=25
counters 0 cycle=100 | misses=10
frame
hart 7
srow n2 t0 cycles=50 instructions=50 fresh
srow n1 t0 cycles=50 instructions=50
counters 0 cycle=200 | misses=40
end end=power-off
END
tr-text --encode -o s.tr s.txt
tr-fold -v --by hart s.tr
tr-report functions --by hart s.tr
tr-fold --by hart --unit misses s.tr
tr-fold -v --by hart --from g --to g s.tr
tr-fold --by hart -d out --svg x.svg s.tr
ls out
tr-fold --by harts s.tr
