# SPDX-License-Identifier: Apache-2.0
# Assertions about functions: a deadline missed by one cycle fails, and met exactly passes;
# each figure; names with dots, spaces and operators; calls that do not end; rounded
# percentiles; what no frame has; and what is no assertion.
stream() {
	cat << 'END'
header content=stacks
header precision=cycles
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name=work
func f2 kind=function address=0x20 binary=p name="operator<(T<1.5>, int)"
func f3 kind=function address=0x30 binary=p name=clone
func f4 kind=function address=0x40 binary=p name=clone
func f5 kind=function address=0x50 binary=p name=hangs
func f6 kind=function address=0x60 binary=p name=idle.part.0
func f7 kind=function address=0x70 binary=p name=unused
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n1 func=f3
node n5 parent=n1 func=f4
node n6 parent=n1 func=f5
node n7 parent=n1 func=f6
thread t0 tp=0x1 satp=0x0 name=p
thread t1 tp=0x2 satp=0x0 name=q
srow n1 t0 cycles=10 instructions=2 fresh
srow n2 t0 cycles=100 instructions=50 fresh
srow n1 t0 cycles=1 instructions=1
srow n2 t0 cycles=60 instructions=40 fresh
srow n1 t1 cycles=500 instructions=7
srow n2 t0 cycles=41 instructions=10
srow n1 t0 cycles=1 instructions=1
srow n2 t0 cycles=80 instructions=50 fresh
srow n3 t0 cycles=7 instructions=3 fresh
srow n4 t0 cycles=5 instructions=3 fresh
srow n5 t0 cycles=9 instructions=3 fresh
srow n7 t0 cycles=0 instructions=1 fresh
srow n1 t0 cycles=1 instructions=1
srow n6 t0 cycles=3 instructions=1 fresh
srow n1 t0 cycles=2 instructions=1
srow n6 t0 cycles=100 instructions=1 fresh
srow n1 t1 cycles=80 instructions=1
srow n6 t0 cycles=100 instructions=1
frame
end end=power-off
END
}
stream | tr-text --encode -o a.tr
check() { # ASSERTION...: with options of tr-report before it
	tr-report functions "$@" a.tr
	echo "exit $?"
}
# The slowest call takes 101 cycles, and the thread is away for 500 in it.
check --assert 'work.max <= 101' --assert 'work.max<102' --assert 'work.max < 0.102k cycles'
check --assert 'work.max < 101'
check --assert 'work.max <= 100' --assert 'work.p99 <= 0.1k'
# Of calls that were too deep for a frame of their own, any may be of the function.
cp a.tr whole.tr
{ stream && echo 'end unwind_depth_refused=20'; } | tr-text --encode -o a.tr
check --assert 'work.calls >= 3' --assert 'work.calls < 23' --assert 'work.calls < 24' --assert 'unused.calls == 0' \
	--assert 'work.max <= 101'
mv whole.tr a.tr
# Each figure holds as it is, and no other value does.
while read -r figure value more; do
	# shellcheck disable=SC2086 # options
	tr-report functions $more --assert "work.$figure == $value" --assert "work.$figure >= $value" \
		--assert "work.$figure <= $value" a.tr > out || { echo "$figure is not $value" && cat out; }
	for wrong in "< $value" "> $value" "!= $value"; do
		# shellcheck disable=SC2086
		tr-report functions $more --assert "work.$figure $wrong" a.tr > out
		[ $? = 1 ] || { echo "$figure $wrong holds" && cat out; }
	done
done << 'END'
calls 3
self 281
total 281
self_percent 50 --to 320
min 80
median 100
p90 101
p99 101
max 101
away 500
instructions 150
max 50 --unit instructions
END
# 25.5454545454…, and 150 / 281
check --assert 'work.self_percent > 25.545454545 %' --assert 'work.total_percent < 25.545454546' \
	--assert 'work.ipc > 0.533807829' --assert 'work.ipc < 0.53380783'
# Names: the last operator, and the last dot before it.
check --assert 'operator<.max<=7' --assert 'operator<(T<1.5>, int).calls==1' --assert 'p:operator<.min >= 7' \
	--assert 'idle.part.0.max == 0 cycles'
# Each of several functions of a name must meet it.
check --assert 'clone.max < 9' --assert 'clone.max <= 9'
# A call that did not end has taken that long at least.
check --assert 'hangs.max <= 200' --assert 'hangs.median < 10'
check --assert 'hangs.max < 200 cycles' --format csv
check --assert 'hangs.max < 150' --to 900 | tail -5
# Nor did one that ends behind the window.
check --assert 'work.max <= 100' --to 150
# Functions without a call, or without its end.
check --assert 'p.max < 1G' --assert 'p.calls < 2'
check --assert 'unused.max < 1G' --assert 'unused.calls == 0' --assert 'unused.total < 1'
check --assert 'work.calls == 0' --assert 'work.max < 102' --by thread --from 1k
# A name that no frame has may be misspelt, unless it is asserted never to be called.
check --assert 'wrok.max < 1G'
check --assert 'panic.calls < 2'
check --assert 'panic.calls == 0' --assert 'panic.calls < 1' --format json
check --assert 'work.max < 101' --assert 'hangs.max < 1k' --by thread --format json -v
# Groups: each row.
check --assert 'work.total < 281' --by thread
check --assert 'hangs.calls == 3' --assert 'work.max < 101' --hide .
# Rounded beyond 4096 distinct durations: what may or may not hold does not hold.
{
	stream | sed '/^srow/,$d'
	for ((i = 0; i < 5000; i++)); do
		printf 'srow n2 t0 cycles=%d instructions=1 fresh\nsrow n1 t0 cycles=1 instructions=1\n' $((1000000 + i * 200))
	done
	printf 'frame\nend end=power-off\n'
} | tr-text --encode -o many.tr
tr-report functions --assert 'work.median < 1.4998M' --assert 'work.median > 1.4998M' --assert 'work.median < 1.52M' \
	--assert 'work.median > 1.48M' --assert 'work.median == 1499648' --assert 'work.median != 1499904' \
	--assert 'work.min == 1M' --assert 'work.max == 1999800' many.tr | head -9
tr-report functions --format csv many.tr | sed -n 's/,p,work,.*//p'
# What is no assertion.
for wrong in '' work 'work.max' 'work.max < ' '< 5' '.max < 5' 'max < 5' 'work.maximum < 5' 'work.max =< 5' 'work.max <> 5' \
	'work.max = 5' 'work.max < x' 'work.max < -5' 'work.max < 5.' 'work.max < 1.1234567891' 'work.max < 99999999999999999999' \
	'work.max < 18446744073709551615k' 'work.max < 5 calls' 'work.calls < 5 cycles' 'work.ipc < 1 cycles' 'work.max < 5 5'; do
	check --assert "$wrong"
done
check --assert 'work.max < 5 cycles' --unit instructions
check --assert 'work.max < 5' --unit nothing
check --assert
check --assert 'work.max < 101' -o /dev/full
