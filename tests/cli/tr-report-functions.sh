# SPDX-License-Identifier: Apache-2.0
# Calls: a second entry of the same frame, recursion counted once in the total, a switch
# to another thread whose time is not the caller's, calls still open at the end.
cat > s.txt << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="main"
func f2 kind=function address=0x20 binary="p" name="leaf"
func f3 kind=function address=0x30 binary="p" name="self"
func f4 kind=program address=0x0 binary="q" name="q"
func f5 kind=function address=0x10 binary="q" name="main"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n2 func=f3
node n5 parent=n4 func=f3
node n6 parent=n5 func=f3
node n7 parent=n0 func=f4
node n8 parent=n7 func=f5
thread t0 tp=0x1 satp=0x0 name="p"
thread t1 tp=0x2 satp=0x0 name="q"
hart 0 cycle=0
srow n2 t0 cycles=10 instructions=10 fresh
srow n3 t0 cycles=5 instructions=1 fresh
srow n3 t0 cycles=7 instructions=1 fresh
srow n8 t1 cycles=1000 instructions=100 fresh
srow n3 t0 cycles=1 instructions=1
srow n2 t0 cycles=1 instructions=1
srow n3 t0 cycles=100 instructions=1 fresh
srow n2 t0 cycles=1 instructions=1
srow n4 t0 cycles=1 instructions=1 fresh
srow n6 t0 cycles=2 instructions=1 fresh
srow n5 t0 cycles=4 instructions=1
srow n5 t0 cycles=8 instructions=1 fresh
srow n2 t0 cycles=1 instructions=1
srow n8 t1 cycles=10 instructions=1
end end=power-off
end instructions=122
end cycles=1151
end frames=1
END
tr-text --encode -o s.tr s.txt
tr-report functions s.tr
tr-report functions --by program s.tr
tr-fold --by thread --unit instructions s.tr
tr-report functions -o by-thread --by thread --unit instructions s.tr
cat by-thread
