# SPDX-License-Identifier: Apache-2.0
# Names that are prefixes of one another, and characters below ';' and ' '.
tr-text --encode > s.tr << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x0 binary="p" name="foo"
func f2 kind=function address=0x0 binary="p" name="foo(int)"
func f3 kind=function address=0x0 binary="p" name="foo bar"
func f4 kind=function address=0x0 binary="p" name="foo 1"
func f5 kind=function address=0x0 binary="p" name="foo<x>"
func f6 kind=function address=0x0 binary="p" name="x"
func f7 kind=function address=0x0 binary="q" name="foo"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n1 func=f3
node n5 parent=n1 func=f4
node n6 parent=n1 func=f5
node n7 parent=n2 func=f6
node n8 parent=n4 func=f6
node n9 parent=n1 func=f7
thread t0 tp=0x0 satp=0x0 name=""
hart 0 cycle=0
srow n1 t0 cycles=1 instructions=1
srow n2 t0 cycles=10 instructions=1
srow n3 t0 cycles=2 instructions=1
srow n4 t0 cycles=3 instructions=1
srow n5 t0 cycles=4 instructions=1
srow n6 t0 cycles=5 instructions=1
srow n7 t0 cycles=6 instructions=1
srow n8 t0 cycles=7 instructions=1
srow n9 t0 cycles=100 instructions=1
end end=power-off
end instructions=9
end cycles=138
end frames=1
END
tr-fold s.tr
tr-fold s.tr | LC_ALL=C sort -c
