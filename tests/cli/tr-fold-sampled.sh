# SPDX-License-Identifier: Apache-2.0
# A sampled run: stacks have the exact instructions of hart 0 times the CPI of their leaves
# in the windows of hart 1, plus their own waiting; and bars. `f` runs in all 12 windows, at
# CPI 1.5; `g` in half of them, at 3; `h` and `i` in three each, too few for a CPI of their own:
# they have that of both, 900 cycles of 300 instructions. `t`, code inlined into f, has that of f.
sampled() { # WINDOWS
	cat << 'END'
header content=stacks
header harts=2
header sampled_hart=1
header classes=memory.dram,idle.wfi
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=f address=0x10
func f2 kind=function binary=p name=g address=0x20
func f3 kind=function binary=p name=h address=0x30
func f4 kind=inlined binary=p name="t (inlined)"
func f5 kind=gap name="[untraced]"
func f6 kind=function binary=p name=i address=0x40
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n2 func=f3
node n5 parent=n2 func=f4
node n6 parent=n0 func=f5
node n7 parent=n0 func=f2
node n8 parent=n0 func=f1
node n9 parent=n0 func=f3
node n10 parent=n1 func=f6
node n11 parent=n0 func=f6
thread t0 name=p
thread t1 name=p
hart 0 cycle=0
srow n2 t0 cycles=6000 instructions=6000 fresh
srow n3 t0 cycles=4000 instructions=3000 fresh
srow n4 t0 cycles=100 instructions=100 fresh
srow n5 t0 cycles=2000 instructions=2000
srow n10 t0 cycles=10 instructions=10
hart 1 cycle=12110
END
	awk -v windows="$1" 'BEGIN {
		for (k = 0; k < windows; k++) {
			if (k) print "srow n6 t1 cycles=0 instructions=0"
			extra = k % 2 ? 20 : -20
			printf "srow n8 t1 cycles=%d instructions=100 classes=/1*%d\n", 150 + extra, 50 + extra
			if (k % 2) print "srow n7 t1 cycles=350 instructions=100 classes=/1*200/2*50"
			if (k % 4 == 1) print "srow n9 t1 cycles=200 instructions=50 classes=/1*150"
			if (k % 4 == 2) print "srow n11 t1 cycles=100 instructions=50 classes=/1*50"
		}
		print "end end=power-off" }'
}
sampled 12 | tr-text --encode -o s.tr
tr-fold -v --bars bars.csv --svg s.svg s.tr
cat bars.csv
grep -c 'estimated from 12 windows' s.svg
# Waiting by itself, instructions as they are, groups, folded and hidden frames.
tr-fold --idle s.tr
tr-fold --unit instructions s.tr
tr-fold --by thread s.tr
tr-fold --fold p s.tr
tr-fold --hide '^[fg]$' s.tr
# Too few windows: the CPI of all of them, and no bar.
sampled 1 | tr-text --encode -o one.tr
tr-fold --bars - -o /dev/null one.tr
# What cannot be estimated is refused.
sampled 0 | tr-text --encode -o none.tr
tr-fold none.tr
tr-fold --from 100 s.tr
tr-fold --to h s.tr
tr-fold --serve 0 s.tr
tr-fold --off-cpu s.tr
tr-fold --format pprof s.tr
tr-timeline s.tr
tr-annotate f s.tr
mkdir profile
mv s.tr profile/stacks.tr
tr-explore profile 2>&1 | grep -v serving
mv profile/stacks.tr s.tr
tr-report slowest f s.tr
tr-report functions --assert 'f.max < 9' s.tr
sampled 12 | grep -v '^header sampled' | tr-text --encode -o whole.tr
tr-fold --bars b.csv whole.tr
