# SPDX-License-Identifier: Apache-2.0
# Stacks as the text of perf script: the samples, collapsed by their periods as FlameGraph's
# stackcollapse-perf.pl does, are the folded stacks of tr-fold; pids and names of tasks and
# threads; names that such readers would take apart; time from the clock; samples at a period;
# what cannot be written.
compare() { # STREAM: what tr-fold and the samples have
	tr-fold "$1" | LC_ALL=C sort > folded
	tr-text --perf-script --clock 1G "$1" | awk -f "$SRC/tests/cli/data/perf-collapse.awk" | LC_ALL=C sort > collapsed
	cmp folded collapsed && echo "$(wc -l < folded) stacks, $(awk '{ sum += $NF } END { print sum }' folded) cycles"
}
for text in machine.txt stack-tasks.txt tasks.txt counters.txt; do
	tr-text --encode "$SRC/tests/cli/data/$text" > $text.tr 2> /dev/null &&
		tr-fold $text.tr > /dev/null 2>&1 && echo "$text:" && compare $text.tr
done
# Stacks of a stream of blocks, and of two harts
tr-text --encode "$SRC/tests/browser/flame.txt" > flame.tr && compare flame.tr
# Tasks and threads: pids where they are known, from the frame on in which they are.
tr-text --encode "$SRC/tests/cli/data/stack-tasks.txt" | tr-text --perf-script --clock 1k | grep '^[^	]'
# Numbers of threads without a pid are no pids in a stream with probes.
tr-text --perf-script tasks.txt.tr | awk '/^[^	]/ { print $1, $2 }' | sort -u
# Names, and what is one stretch: rows of no cycles, and entries, do not end it; threads do.
stream() {
	cat << 'END'
header content=stacks
header clock_hz=3000000000
header bin.0.name=my kernel
header bin.0.role=kernel
func f0 kind=program binary="my prog (1)" name="my prog (1)"
func f1 kind=function address=0x10 binary="my prog (1)" name="(anonymous namespace)::f(int, char (*)[2])"
func f2 kind=function address=0x20 binary="my prog (1)" name="std::map<int, T<1>>::operator[](int&&) (map.cc:7)"
func f3 kind=unknown address=0x26b40 binary=libc.so.6 name="libc.so.6+0x26b40"
func f4 kind=trap name="[timer interrupt]"
func f5 kind=function address=0xffffffff80001000 binary="my kernel" name="handle+0xzz"
func f6 kind=inlined address=0xffffffff80001004 binary="my kernel" name="get (inlined)"
func f7 kind=line address=0xffffffff80001004 binary="my kernel" name="get.c:12"
func f8 kind=unknown name="[unknown]"
func f9 kind=gap name="[gap]"
func f10 kind=function address=0x30 binary="my prog (1)" name="(("
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n3 func=f3
node n5 parent=n4 func=f4
node n6 parent=n5 func=f5
node n7 parent=n6 func=f6
node n8 parent=n7 func=f7
node n9 parent=n0 func=f8
node n10 parent=n0 func=f9
node n11 parent=n1 func=f10
thread t0 tp=0x1 satp=0x0 name="#my 12 3/4 [5]"
thread t1 tp=0x2 satp=0x0 name="q"
thread t2 tp=0x0 satp=0x0 name=""
hart 0 cycle=3000000001
srow n8 t0 cycles=20 instructions=1 fresh
srow n3 t0 cycles=0 instructions=1 fresh
srow n8 t0 cycles=3 instructions=1 fresh
srow n8 t1 cycles=7 instructions=1
srow n11 t0 cycles=6 instructions=1
srow n10 t2 cycles=3000000000 instructions=0
frame
rename t1 name="new name"
hart 3 cycle=3000000010
srow n9 t1 cycles=10 instructions=1
srow n2 t1 cycles=5 instructions=1
hart 0 cycle=6000000037
srow n2 t0 cycles=5 instructions=1
end end=interrupted
END
}
stream | tr-text --encode | tee names.tr | tr-text --perf-script | tee names.txt
tr-text --perf-script < names.tr 2> /dev/null | cmp - names.txt
# Each hart has a sample at each multiple of the period.
stream | sed 's/cycles=3000000000/cycles=30/; s/cycle=6000000037/cycle=3000000067/' | tr-text --encode |
	tr-text --perf-script --period 10 --clock 1k 2> /dev/null | grep '^[^	]'
tr-text --perf-script --period 1M --clock 1M names.tr 2> /dev/null | grep -c '^[^	]'
tr-text --perf-script --period 1 names.tr > /dev/null
echo "exit $?"
tr-text --perf-script --period 3G names.tr 2> /dev/null | grep '^[^	]'
# Without a clock; with cycles that are instructions
sed 's/^header clock.*/header precision=instructions/' <(stream) | tr-text --encode | tr-text --perf-script -o out &&
	sed -n 1p out
try() {
	"$@"
	echo "exit $?"
}
try tr-text --perf-script --clock 0 names.tr
try tr-text --perf-script --period 0 names.tr
try tr-text --perf-script --period 0.5 names.tr
try tr-text --period 5 names.tr
try tr-text --clock 5 names.tr
try tr-text --perf-script --tokens names.tr
try tr-text --perf-script --encode names.tr
try tr-text --perf-script --header names.tr
try tr-text --perf-script missing.tr
try tr-text --perf-script names.tr names.tr
try tr-text --perf-script -o names.tr names.tr
tr-text --perf-script names.tr > /dev/full
echo "exit $?"
printf 'header content=rows\nend end=limit\n' | tr-text --encode > rows.tr
try tr-text --perf-script rows.tr
head -c 150 names.tr > cut.tr
try tr-text --perf-script -o out cut.tr
wc -c < out
: > empty
try tr-text --perf-script empty
yes | try tr-text --perf-script
{ sleep 0.2; tr-text --perf-script names.tr; echo "closed: exit $?" >&2; } | :
# A stack of more frames than is likely, and a row without one
{
	stream | sed -n '1,/^func f1 /p'
	echo 'node n1 parent=n0 func=f0'
	for ((i = 2; i < 16386; i++)); do echo "node n$i parent=n$((i - 1)) func=f1"; done
	echo 'thread t0 tp=0x1 satp=0x0 name=a'
	echo "srow n16384 t0 cycles=1 instructions=1"
	echo 'end end=power-off'
} > deep.txt
tr-text --encode deep.txt | tr-text --perf-script | wc -l
sed 's/srow n16384/srow n16385/' deep.txt | tr-text --encode | try tr-text --perf-script
sed 's/srow n16384/srow n0/' deep.txt | tr-text --encode | try tr-text --perf-script
