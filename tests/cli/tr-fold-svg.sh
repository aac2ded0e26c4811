# SPDX-License-Identifier: Apache-2.0
# The static image, the text below it, and names that XML or a script could misinterpret.
# (tests/browser runs the script.)
tr-text --encode > s.tr << 'END'
header content=stacks
header clock_hz=3200000000
header precision=cycles
header bin.0.name=k
header bin.0.role=kernel
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="a<b> & \x22c\x22 ]]> </script>"
func f2 kind=function address=0x20 binary="k" name="\xff\xc3\xa9\x5cn"
func f3 kind=trap address=0x0 binary="" name="[ecall]"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f3
node n4 parent=n3 func=f2
thread t0 tp=0x1 satp=0x0 name="p"
hart 0 cycle=0
srow n1 t0 cycles=1000000 instructions=10
srow n2 t0 cycles=2199999 instructions=10
srow n4 t0 cycles=1 instructions=1
srow n4 t0 cycles=800000 instructions=10
end end=power-off
end instructions=31
end cycles=4000000
end frames=1
END
tr-fold --svg s.svg --title 'A <title>' s.tr > /dev/null
sed -n '/^<svg/,/^<style/p; /^<rect class="paper"/,/^<script>/p; /^start(/,/^)/p' s.svg
# Three frames of one or two cycles in a hundred million.
{
	sed -n '1,/^thread/p' << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="n1"
func f2 kind=function address=0x10 binary="p" name="n2"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n2 func=f2
thread t0 tp=0x1 satp=0x0 name="p"
END
	echo 'hart 0 cycle=0'
	echo 'srow n1 t0 cycles=99999997 instructions=1'
	echo 'srow n4 t0 cycles=2 instructions=1'
	echo 'srow n3 t0 cycles=1 instructions=1'
	printf 'end %s\n' end=limit instructions=3 cycles=100000000 frames=1
} | tr-text --encode | tr-fold --svg n.svg --unit cycles
grep -c 'n1' n.svg
grep -o '[0-9]* frames too narrow.*<.text>' n.svg
