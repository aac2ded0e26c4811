# SPDX-License-Identifier: Apache-2.0
# Functions of the same name in one binary are distinguished by their addresses; those of
# other binaries, and traps, are unchanged.
tr-text --encode -o s.tr << 'END'
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name=work
func f2 kind=function address=0x8000002a binary=p name=work
func f3 kind=function address=0x10 binary=q name=work
func f4 kind=trap name=[ecall]
func f5 kind=trap name=[ecall]
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n1 func=f3
node n5 parent=n1 func=f4
node n6 parent=n1 func=f5
thread t0 name=p
srow n2 t0 cycles=5 instructions=1 fresh
srow n3 t0 cycles=4 instructions=1 fresh
srow n4 t0 cycles=3 instructions=1 fresh
srow n5 t0 cycles=2 instructions=1 fresh
srow n6 t0 cycles=1 instructions=1 fresh
end end=limit
END
tr-fold s.tr
tr-report functions s.tr
tr-report functions --by thread s.tr
