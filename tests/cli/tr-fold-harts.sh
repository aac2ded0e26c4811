# SPDX-License-Identifier: Apache-2.0
# A thread that migrates between harts: its rows are taken in order of time. A call
# continues on the other hart; the time between the two is time away.
tr-text --encode > s.tr << 'END'
header content=stacks
header harts=2
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="f"
func f2 kind=program address=0x0 binary="k" name="idle"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n0 func=f2
thread t0 tp=0x1 satp=0x0 name="p"
thread t1 tp=0x2 satp=0x0 name="idle"
hart 0 cycle=0
srow n2 t0 cycles=100 instructions=10 fresh
srow n3 t1 cycles=100 instructions=10 fresh
srow n1 t0 cycles=5 instructions=1
hart 1 cycle=0
srow n3 t1 cycles=110 instructions=10
srow n2 t0 cycles=90 instructions=10
end end=power-off
end instructions=41
end cycles=405
end frames=1
END
tr-report functions s.tr
