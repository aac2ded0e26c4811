# SPDX-License-Identifier: Apache-2.0
# One file per first frame, each with a name of its own.
tr-text --encode > s.tr << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="a" name="a/b"
func f1 kind=program address=0x0 binary="b" name="a b"
func f2 kind=program address=0x0 binary="c" name=".."
func f3 kind=gap address=0x0 binary="" name="[reset]"
func f4 kind=function address=0x0 binary="a" name="main"
node n1 parent=n0 func=f0
node n2 parent=n0 func=f1
node n3 parent=n0 func=f2
node n4 parent=n0 func=f3
node n5 parent=n1 func=f4
thread t0 tp=0x1 satp=0x0 name=""
hart 0 cycle=0
srow n1 t0 cycles=1 instructions=1
srow n2 t0 cycles=2 instructions=1
srow n3 t0 cycles=4 instructions=1
srow n4 t0 cycles=8 instructions=0
srow n5 t0 cycles=16 instructions=1
end end=power-off
end instructions=4
end cycles=31
end frames=1
END
tr-fold -d out --svg all.svg s.tr
ls out
tail -n +1 out/*.folded
tr-fold -d out -o all.folded s.tr
cat all.folded
grep -c '</svg>' all.svg out/*.svg
mkdir file && : > file/out
tr-fold -d file/out/deeper s.tr
