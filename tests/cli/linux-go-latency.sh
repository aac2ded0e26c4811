# SPDX-License-Identifier: Apache-2.0
# The table of make linux-go-latency, and the comparison with the program's clock, from
# intervals, hits and stacks that are written here.
scripts=(-f "$SRC/pipelines/hits.awk" -f "$SRC/pipelines/linux-go-rows.awk" -f "$SRC/pipelines/linux-go-latency.awk")
latency() { awk -v harts=2 -v procs=3 "${scripts[@]}" "$1" "$2" - < "$3"; }
interval() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
hit() { echo "$1 hart 0 $2 number=$3 goid=$4${5:+ began=$5}"; }

# Goroutines 1 and 4 are clients, 2 is the worker, 3 belongs to the collector. The worker waits
# for request 0, and moves to the other hart with it; the collector runs on the client's hart
# when the reply is there. Request 2 is in the queue before the worker has request 0. Request 1
# is in the queue, too, and the worker begins a collection.
{
	interval name 3 runtime.gcBgMarkWorker 0 1
	interval go 1 running 0 110 0
	interval go 2 waiting 0 105 'chan receive'
	interval go 4 running 90 104 1
	interval go 4 waiting 104 197 'chan send'
	interval go 2 runnable 105 120
	interval go 1 waiting 110 195 'chan receive'
	interval go 2 running 120 170 1
	interval go 2 'no hart' 170 175
	interval go 2 asleep 175 180
	interval go 2 running 180 230 0
	interval go 1 runnable 195 220
	interval gc 'world stopped' stopped 196 215
	interval go 4 runnable 197 231
	interval go 3 running 198 220 1
	interval go 3 'no hart' 220 225
	interval go 1 running 220 310 1
	interval go 3 asleep 225 228
	interval go 2 waiting 230 240 'chan receive'
	interval go 4 running 231 239 0
	interval go 2 running 240 420 0
	interval go 1 waiting 310 395 'chan send'
	interval go 1 runnable 395 405
	interval go 1 running 405 408 1
	interval go 1 waiting 408 455 'chan receive'
	interval go 2 waiting 420 440 semacquire
	interval go 2 running 440 460 0
	interval go 1 runnable 455 457
	interval go 1 running 457 500 1
} > intervals.txt
{
	hit 100 sent 0 1 95
	hit 103 sent 2 4 95
	hit 125 accepted 0 2
	hit 190 replied 0 2
	hit 199 accepted 2 2
	hit 222 replied 2 2
	hit 230 received 0 1 225
	hit 238 received 2 4 236
	hit 300 sent 1 1 290
	hit 398 accepted 1 2
	hit 450 replied 1 2
	hit 480 received 1 1 470
} > hits.txt
cat > stacks.txt << 'END'
header classes=frontend.fetch,badspec.branch,memory.l2,core.div,idle.wfi
func f0 kind=program address=0x0 binary="go" name="go"
func f1 kind=function address=0x1000 binary="go" name="main.serve"
func f2 kind=function address=0x2000 binary="go" name="runtime.gcStart"
func f3 kind=function address=0x3000 binary="go" name="runtime.park_m"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n3 func=f3
hart 0 cycle=0
srow n1 t1 cycles=110 instructions=60 classes=/3*50 fresh
srow n2 t1 cycles=290 instructions=145 classes=/1*45/3*50/4*50 fresh
hart 1 cycle=90
srow n2 t1 cycles=110 instructions=60 classes=/2*50
srow n1 t1 cycles=260 instructions=260
srow n1 t1 cycles=100 instructions=40 classes=/5*60
hart 0 cycle=400
srow n2 t1 cycles=12 instructions=12
srow n4 t1 cycles=10 instructions=4 classes=/3*6 fresh
srow n2 t1 cycles=100 instructions=100
END
awk -v header=1 "${scripts[@]}" | tail -n 1
latency intervals.txt hits.txt stacks.txt

sed 's/no hart	170	175	/waiting	170	175	GC assist wait/; s/asleep	175	180	/waiting	175	180	preempted/' \
	intervals.txt > other.txt
latency other.txt hits.txt stacks.txt | tail -n 1

# A row is missing, a cycle has no class, a state is missing, a request was not accepted,
# nothing at all.
sed '$d' stacks.txt > other.txt
latency intervals.txt hits.txt other.txt
echo "status $?"
sed 's/instructions=12/instructions=11/' stacks.txt > other.txt
latency intervals.txt hits.txt other.txt
echo "status $?"
grep -v asleep intervals.txt > other.txt
latency other.txt hits.txt stacks.txt
echo "status $?"
grep -v accepted hits.txt > other.txt
latency intervals.txt other.txt stacks.txt
echo "status $?"
latency intervals.txt <(echo) stacks.txt
echo "status $?"

# The program's clock, one step of which is 3200 cycles: 1000 ns.
clock() { awk -f "$SRC/pipelines/hits.awk" -f "$SRC/pipelines/linux-go-clock.awk" "$1" "$2"; }
{
	hit 100013000 sent 0 1 100012000
	hit 100330000 received 0 1 100329000
	hit 100650000 sent 1 1 100649000
	hit 103850000 received 1 1 103849000
} > hits.txt
printf '%s\r\n' 'request 0 5000 105000' 'request 1 205000 1205000' '2 requests: 5' > console.txt
clock hits.txt console.txt
echo "status $?"
sed 's/105000/108000/' console.txt > other.txt
clock hits.txt other.txt
echo "status $?"
sed 's/205000 1205000/209000 1209000/' console.txt > other.txt
clock hits.txt other.txt
echo "status $?"
grep -v 'request 1' console.txt > other.txt
clock hits.txt other.txt
echo "status $?"
sed 's/request 1/request 7/' console.txt > other.txt
clock hits.txt other.txt
echo "status $?"
