# SPDX-License-Identifier: Apache-2.0
# Where a function on one hart begins and ends the window, the rows of the other hart are
# cut, even if they are in another frame.
tr-text --encode -o s.tr << 'END'
header content=stacks
header classes=a,b
header harts=2
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=f
func f2 kind=program binary=q name=q
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n0 func=f2
thread t0 tp=0x1 name=p
thread t1 tp=0x2 name=q
hart 0 cycle=0
srow n1 t0 cycles=30 instructions=30 fresh
hart 1 cycle=0
srow n3 t1 cycles=100 instructions=50 classes=/1*30/2*20 fresh
frame
hart 0
srow n2 t0 cycles=30 instructions=30 fresh
srow n1 t0 cycles=40 instructions=40
end end=power-off
END
tr-fold -v --from f --to f s.tr
tr-fold -v --from f --to f --unit instructions s.tr
tr-report tma --from f --to f s.tr
tr-fold --from f s.tr
tr-fold --from 30 --to 60 s.tr | cmp - <(tr-fold --from f --to f s.tr)
