# SPDX-License-Identifier: Apache-2.0
# A call is one execution of an entry. A frame that reappears is no call: after a thread
# switch, on a stack whose first frame has another name, after a gap. A trap is called
# when its handler is. Time of other threads between entry and return is time away.
cat > s.txt << 'END'
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name=main
func f2 kind=trap name=[ecall]
func f3 kind=function address=0x10 binary=k name=entry
func f4 kind=function address=0x20 binary=k name=switch
func f5 kind=program binary=q name=q
func f6 kind=gap name=[gap]
func f7 kind=trap name="[page fault]"
func f8 kind=function address=0x30 binary=k name=tail
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n3 func=f3
node n5 parent=n4 func=f4
node n6 parent=n0 func=f5
node n7 parent=n6 func=f1
node n8 parent=n7 func=f2
node n9 parent=n8 func=f3
node n10 parent=n9 func=f4
node n11 parent=n0 func=f6
node n12 parent=n8 func=f7
node n13 parent=n12 func=f3
node n14 parent=n8 func=f8
thread t0 name=""
thread t1 tp=0x1 name=p
thread t2 tp=0x2 name=q
hart 0 cycle=0
srow n1 t1 cycles=0 instructions=0 fresh
srow n2 t1 cycles=10 instructions=10 fresh
srow n4 t1 cycles=20 instructions=2 fresh
srow n5 t1 cycles=3 instructions=3 fresh
srow n10 t2 cycles=500 instructions=5
srow n9 t2 cycles=6 instructions=6
srow n11 t0 cycles=40 instructions=0
srow n10 t1 cycles=4 instructions=4
srow n9 t1 cycles=8 instructions=1
srow n11 t0 cycles=2 instructions=0
srow n11 t0 cycles=30 instructions=0
srow n9 t1 cycles=1 instructions=1
srow n7 t1 cycles=1 instructions=1
srow n13 t1 cycles=7 instructions=7 fresh
srow n9 t1 cycles=5 instructions=5 fresh
srow n14 t1 cycles=5 instructions=5 fresh
srow n7 t1 cycles=1 instructions=1
srow n9 t1 cycles=9 instructions=9
srow n7 t1 cycles=1 instructions=1
end end=limit
END
tr-text --encode -o s.tr s.txt
tr-report functions s.tr
tr-report functions --unit instructions s.tr
tr-report histogram entry s.tr
tr-fold -v --from '[page fault]' --to tail s.tr 2>&1
