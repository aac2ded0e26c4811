# SPDX-License-Identifier: Apache-2.0
# The comparison of make linux-go-tracer, with a small trace of Go's tracer that is written
# here: goroutine 1 exists, creates 5 and waits for it, which ends.
events() { awk -v names=names.txt -f "$SRC/pipelines/hits.awk" -f "$SRC/pipelines/linux-go-inband.awk" "$1" | LC_ALL=C sort -n -s -k1,1; }
judge() { awk -f "$SRC/pipelines/hits.awk" -f "$SRC/pipelines/linux-go-judge.awk" "$@"; }
printf '%s\n' '0000000000001000 T runtime.traceEventLocked' '0000000000002000 T runtime.traceFlush' > names.txt
stamp() { echo "$1 hart 0 stamp ticks=$2 from=${3-4100} p=0"; }
status() { printf '%s hart 0 status g=%s goid=%s old="%s" new="%s" reason="%s" m=0 tid=7 p=0\n' "$@"; }
header=676f20312e3139207472616365000000
batch=410064              # P 0, at tick 100
first=cd0401010000        # GoCreate 1, a tick later
first+=8e010101           # GoStart 1: the same tick, so one more
second=cd0402050100       # GoCreate 5, in tick 104
second+=570200            # GoBlockRecv
second+=8e010501          # GoStart 5
second+=d50401010200      # GoUnblock 1
second+=0f01              # GoEnd
second+=a6010102          # GoStartLocal 1
frequency=0290a10f
{
	status 10 0xa0 1 runnable running ''
	echo "20 hart 0 write pid=7 fd=1 data=6869"
	echo "21 hart 0 write pid=7 fd=3 data=$header"
	stamp 100 1616
	stamp 105 1617
	echo '110 hart 0 world_start phase=0'
	status 180 0xb0 0 dead runnable ''
	echo '190 hart 0 goroutine g=0xb0 goid=5 start=4096'
	stamp 200 1664
	stamp 205 1664 9000
	stamp 210 1696
	status 215 0xa0 1 running waiting 'chan receive'
	status 220 0xb0 5 runnable running ''
	stamp 225 1712
	status 230 0xb0 5 running copystack ''
	status 235 0xb0 5 copystack running ''
	stamp 238 1728
	status 240 0xa0 1 waiting runnable ''
	stamp 245 1744
	status 250 0xb0 5 running dead ''
	status 260 0xa0 1 runnable running ''
	stamp 265 1760
	echo '270 hart 0 world_stop phase=0'
	echo "300 hart 0 write pid=7 fd=3 data=$batch$first"
	echo "301 hart 0 write pid=7 fd=3 data=$second$frequency"
} > hits.txt
events hits.txt > events.txt
cat events.txt
judge events.txt hits.txt
echo "status $?"

# A change that the probes did not see, and one that the tracer did not.
grep -v ^240 hits.txt > fewer.txt
judge events.txt fewer.txt > /dev/null
echo "status $?"
{ grep -v ^270 hits.txt; status 262 0xa0 1 running waiting 'chan receive'; } | sort -n -s -k1,1 > more.txt
judge events.txt more.txt > /dev/null
echo "status $?"
# Another time, a read too many, a trace that is cut off, no trace.
sed 's/ticks=1712/ticks=1728/' hits.txt > wrong.txt
events wrong.txt > /dev/null
{ cat hits.txt; stamp 400 1800; } > wrong.txt
events wrong.txt > /dev/null
sed 's/90a10f$/90a1/' hits.txt > wrong.txt
events wrong.txt > /dev/null
grep -v write hits.txt > wrong.txt
events wrong.txt
