# SPDX-License-Identifier: Apache-2.0
# The table of make linux-go, from hits that are written here.
table() { awk -v names=names.txt -v intervals=intervals.txt -f "$SRC/pipelines/hits.awk" -f "$SRC/pipelines/linux-go.awk" "$1" "$1"; }
echo '0000000000001000 T main.work' > names.txt
status() { printf '%s hart 0 status g=%s goid=%s old="%s" new="%s" reason="%s" m=0 tid=%s p=0\n' "$@"; }
switch() { printf '%s hart 0 switch prev=%s prev_comm="%s" prev_state=0 next=%s next_comm="%s"\n' "$@"; }
{
	switch 50 1 init 7 prog
	status 100 0xa0 0 idle dead '' 7
	status 110 0xa0 0 dead runnable '' 7
	echo '120 hart 0 goroutine g=0xa0 goid=5 start=4096'
	status 150 0xa0 5 runnable running '' 7
	switch 200 7 prog 1 'in\"it x'
	switch 260 1 'in\"it x' 7 prog
	status 300 0xa0 5 running copystack '' 7
	status 310 0xa0 5 copystack running '' 7
	echo '320 hart 0 world_stop phase=0'
	echo '330 hart 0 world_start phase=1'
	status 350 0xa0 5 running waiting 'chan receive' 7
	echo '360 hart 0 gc_mark_termination phase=1'
	status 400 0xa0 5 waiting runnable '' 7
	status 420 0xa0 5 runnable running '' 7
	status 450 0xa0 5 running syscall '' 7
	status 480 0xa0 5 syscall running '' 7
	echo '490 hart 0 preempt g=0xa0 goid=5'
	status 495 0xa0 5 waiting runnable '' 7
	status 500 0xa0 5 runnable running '' 7
	status 510 0xa0 5 running dead '' 7
	status 600 0xa0 5 dead runnable '' 7
	echo '610 hart 0 goroutine g=0xa0 goid=6 start=4096'
	echo '700 hart 0 exit pid=7 tgid=7 code=0'
	switch 800 7 prog 1 init
} > hits.txt
table hits.txt
echo "status $?"
cat intervals.txt
awk -f "$SRC/pipelines/linux-go-picture.awk" intervals.txt > picture.svg
grep -c '<rect.*goroutine 5' picture.svg
# A change that was missed, and nothing at all.
grep -v '^400' hits.txt > missed.txt
table missed.txt > table.txt
echo "status $?"
table /dev/null
echo "status $?"

# Two harts: the thread sleeps, goes on on the other hart, and only then its wake-up returns.
# An earlier wake-up does not count, and one that is woken while it leaves does not sleep.
wakeup() { printf '%s hart %s wakeup pid=7 comm="prog" waker=1 waker_comm="init" began=%s\n' "$@"; }
{
	status 100 0xb0 0 dead runnable '' 7
	echo '110 hart 0 goroutine g=0xb0 goid=9 start=4096'
	status 120 0xb0 9 runnable running '' 7
	wakeup 150 1 140
	switch 200 7 prog 1 init | sed 's/prev_state=0/prev_state=1/'
	switch 260 0 swapper/1 7 prog | sed 's/hart 0/hart 1/'
	wakeup 262 0 240
	switch 300 7 prog 0 swapper/1 | sed 's/hart 0/hart 1/; s/prev_state=0/prev_state=512/'
	switch 330 1 init 7 prog
	status 350 0xb0 9 running dead '' 7
} > harts.txt
table harts.txt | sed -n '4,5p'
grep ^go intervals.txt > harts.intervals
cat harts.intervals

# Stacks: those of goroutine 9 while it runs, of 140 cycles, on both harts; the last ones are
# missing then, some cycles have no class, and two goroutines run on one hart.
printf 'name\t9\tmain.work\t0\t1\t\n' | cat - harts.intervals > intervals.txt
cat > stacks.txt << 'END'
header classes=frontend.fetch,memory.l2,memory.dram
func f0 kind=program address=0x0 binary="prog" name="prog"
func f1 kind=function address=0x1000 binary="prog" name="main.work"
func f2 kind=function address=0x2000 binary="vmlinux" name="do_page_fault"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
hart 0 cycle=100
srow n1 t1 cycles=60 instructions=30 classes=/1*30 fresh
srow n2 t1 cycles=60 instructions=20 classes=/2*10/3*30 fresh
hart 1 cycle=250
srow n3 t1 cycles=100 instructions=50 classes=/1*50 fresh
hart 0 cycle=220
srow n1 t1 cycles=110 instructions=110
srow n2 t1 cycles=175 instructions=175
END
stacks() { awk -v classes=classes.txt -f "$SRC/pipelines/linux-go-rows.awk" -f "$SRC/pipelines/linux-go-stacks.awk" intervals.txt "$1" | LC_ALL=C sort; }
stacks stacks.txt
cat classes.txt
sed '$d' stacks.txt > fewer.txt
stacks fewer.txt
sed 's/instructions=50 /instructions=49 /' stacks.txt > fewer.txt
stacks fewer.txt
printf 'go\t8\trunning\t290\t310\t1\n' >> intervals.txt
stacks stacks.txt
