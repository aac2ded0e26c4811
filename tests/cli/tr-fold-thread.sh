# SPDX-License-Identifier: Apache-2.0
# The thread is the first frame; a thread without a name is shown by its number.
tr-text --encode > s.tr << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="f"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
thread t0 tp=0x1 satp=0x0 name="p"
thread t1 tp=0x2 satp=0x0 name=""
thread t2 tp=0x3 satp=0x0 name="p"
hart 0 cycle=0
srow n2 t0 cycles=1 instructions=1
srow n2 t1 cycles=2 instructions=1
srow n1 t2 cycles=4 instructions=1
srow n2 t0 cycles=8 instructions=1
end end=power-off
end instructions=4
end cycles=15
end frames=1
END
tr-fold --by thread s.tr
tr-fold --by program s.tr
