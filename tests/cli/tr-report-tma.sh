# SPDX-License-Identifier: Apache-2.0
# Lost cycles of functions by class, top-down, as a table and in the flame graph; a cycle
# with two classes is an error.
cat > s.txt << 'END'
header content=stacks
header classes=frontend.icache,frontend.itlb,memory.dram,idle,never.seen,frontend.fetch,badspec.branch,badspec.trap,core.div
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
srow n5 t0 cycles=20 instructions=4 classes=/6*1/7*2/8*3/9*10
srow n6 t0 cycles=2 instructions=1 classes=/4*1
srow n8 t1 cycles=40 instructions=10 classes=/4*28/1*2
end end=power-off
END
tr-text --encode -o s.tr s.txt
tr-report tma -v s.tr
tr-report tma --by program s.tr
tr-report tma --by thread s.tr | grep -E 'thread|leaf'
tr-fold --svg s.svg --tma s.tr -o folded
tr-fold s.tr | cmp - folded
sed -n '/^"classes"/,/^)/p' s.svg
sed -n '/class="foot"/,/^<.g>/p' s.svg
tr-fold --svg whole.svg --tma -d out s.tr
sed -n 's/^<rect class="c.*class="note".*>\(.*\)<.text>/\1/p' out/q.svg

echo '# cycles and slots without a class: row, columns, key and part of their own'
unclassified() { # SED-SCRIPT
	sed "$1" s.txt | tr-text --encode -o u.tr
	tr-report tma -v u.tr
	tr-report classes --by thread u.tr | grep -E '^p|^q|unclassified'
	tr-report tma --format csv u.tr | awk -F, '
		/^table,/ { delete column; for (i = 1; i <= NF; i++) column[i] = $i; next }
		$1 == "classes" && $6 == "" { sum += $5 == "all" ? -$2 : $2 }
		$1 == "functions" {
			rest = -$8
			for (i = 10; i <= NF; i++)
				if (column[i] !~ /\./ && column[i] ~ /_(cycles|slots)$/) rest += $i
			if (rest) print "function is off by", rest, $0
		}
		END { print "the tree is off by", sum + 0 }'
	tr-fold --svg u.svg --tma u.tr -o folded
	tr-fold u.tr | cmp - folded
	sed -n '/^"classes"/,/^)/p' u.svg
	grep -o 'unclassified [0-9.]* %\|not traced [0-9.]* %' u.svg
}
missing='s/^\(srow n3.*\)20$/\117/; s/^\(srow n8.*\)28/\121/'
unclassified "$missing"
sed "$missing" s.txt | tr-text --encode -o v.tr
tr-diff --tma s.tr v.tr
tr-diff --tma v.tr v.tr
unclassified 's/^header classes.*/&\nheader commit_width=2/'

echo '# not to be had'
try() { # SED-SCRIPT
	sed "$1" s.txt | tr-text --encode -o t.tr && tr-report tma t.tr
	echo "exit $?"
}
try '/^header classes/d'
tr-fold --tma --svg t.svg t.tr
try 's/^header classes.*/&\nheader commit_width=2/'
for names in 'a,,b' 'a.b,' 'a,a' '.a' 'a.' "$(seq -s , 32)"; do
	try "s/^header classes=.*/header classes=$names/"
done
try "s/^header classes=.*/header classes=$(seq -s , 31)/" > /dev/null
try 's/^header classes=.*/header classes=one,two,three/'
try 's/^\(srow n3.*\)instructions=10/\1instructions=11/'
tr-fold --tma --svg t.svg --unit instructions s.tr
tr-fold --tma s.tr
tr-report tma out.txt s.tr
echo "exit $?"
