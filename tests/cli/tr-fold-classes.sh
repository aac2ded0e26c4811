# SPDX-License-Identifier: Apache-2.0
# What the cycles of functions were lost for, as a table and in the flame graph; every
# cycle has one class, or it is an error.
cat > s.txt << 'END'
header content=stacks
header classes=frontend.icache,frontend.itlb,memory.dram,idle,never.seen
func f0 kind=program name=p
func f1 kind=function name=main binary=p
func f2 kind=function name=leaf binary=p
func f3 kind=gap name="[reset]"
func f4 kind=function address=0x10 name=twin binary=p
func f5 kind=function address=0x20 name=twin binary=p
func f6 kind=program name=q
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n0 func=f3
node n5 parent=n2 func=f4
node n6 parent=n2 func=f5
node n7 parent=n0 func=f6
node n8 parent=n7 func=f2
thread t0 name=p
thread t1 name=q
hart 0 cycle=0
srow n4 t0 cycles=100 instructions=0
srow n2 t0 cycles=20 instructions=5 classes=/1*10/2*5
srow n3 t0 cycles=30 instructions=10 classes=/3*20
srow n2 t0 cycles=7 instructions=6 classes=/2*1
srow n5 t0 cycles=3 instructions=3
srow n6 t0 cycles=2 instructions=1 classes=/4*1
srow n8 t1 cycles=40 instructions=10 classes=/4*28/1*2
end end=power-off
END
tr-text --encode -o s.tr s.txt
tr-fold -v --classes s.tr
tr-fold --classes=by-program --by program --table s.tr
cat by-program
tr-fold --classes --by thread s.tr | grep -E 'thread|leaf'
tr-fold --svg s.svg --color class s.tr -o folded
tr-fold s.tr | cmp - folded
grep -A 2 -E '^const (classes|lost)=' s.svg
grep -A 6 -E 'class="info"' s.svg
tr-fold --svg whole.svg --color class -d out s.tr
sed -n 's/^<rect class="c.*class="note".*>\(.*\)<.text>/\1/p' out/q.svg

echo '# not to be had'
try() { # SED-SCRIPT OPTION...
	local script=$1
	shift
	sed "$script" s.txt | tr-text --encode -o t.tr && tr-fold "$@" t.tr
	echo "exit $?"
}
try '/^header classes/d' --classes
try '/^header classes/d' --color class --svg t.svg
try 's/^header classes.*/&\nheader commit_width=2/' --classes
for names in 'a,,b' 'a.b,' 'a,a' '.a' 'a.' "$(seq -s , 32)"; do
	try "s/^header classes=.*/header classes=$names/" --classes
done
try "s/^header classes=.*/header classes=$(seq -s , 31)/" --classes > /dev/null
try 's/^header classes=.*/header classes=one,two,three/' --classes
try 's/^\(srow n3.*\)20$/\119/' --classes
try 's/^\(srow n3.*\)instructions=10/\1instructions=11/' --classes
try '' --classes --unit instructions
try '' --color class
try '' --color blue
try '' --classes --table
tr-fold --classes out.txt s.tr
echo "exit $?"
