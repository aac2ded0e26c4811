# SPDX-License-Identifier: Apache-2.0
# Deadlines of regions and of activations: one missed by a cycle fails, and met exactly passes; the
# time on a hart; what does not end; each figure, which is that of the table; names that none has.
. "$SRC/tests/cli/marks.inc"
marks_stream | tr-text --encode -o s.tr
table=marks
check() { # ASSERTION...: with options of tr-timeline before it
	tr-timeline --table $table "$@" s.tr
	echo "exit $?"
}
# The regions "frame" take 55 cycles, of which the thread is away for 10, 35 and 10.
check --assert 'frame.max <= 55' --assert 'frame.max < 0.056k cycles'
check --assert 'frame.max < 55' --assert 'frame.count == 3'
check --assert 'frame.cpu_max <= 45' --assert 'frame.cpu_max < 46' --assert 'frame.cpu_max > 44' --assert 'frame.cpu_p99 == 45' --assert 'frame.cpu_median == 35'
check --assert 'frame.cpu_max < 45' --format csv
check --assert 'frame.max < 55' --assert 'frame.p99 < 10' --format json
check --assert 'frame.max < 99' --format json
# An open region has taken 40 cycles at the end, at least; of "inner", which ends with the region
# around it, 2 are known.
check --assert 'open.max <= 40' --assert 'open.cpu_max < 40.5' --assert 'inner.max == 2'
check --assert 'open.max < 40' --assert 'open.median < 60'
echo '# points'
check --assert 'a b.count == 2' --assert 'last.count >= 2' --assert 'a b.max == 0'
echo '# windows, and names'
check --assert 'frame.max < 11' --from mark:frame#3 --to mark:frame#3
check --assert 'fram.max < 20'
check --assert 'fram.count <= 1'
check --assert 'fram.count == 0' --assert 'gone.count == 0' --assert 'gone.stray == 1'
check --assert 'frame.max < 20' --from 100
echo '# each figure is that of the table'
tr-timeline --table marks --format csv s.tr | awk -F, 'NR == 1 { split($0, key); next } $NF == "frame" { for (i = 1; i <= 10; i++) print key[i], $i }' > figures.txt
while read -r figure value; do
	if tr-timeline --table marks --assert "frame.$figure == $value" s.tr > out.txt 2>&1 &&
		! tr-timeline --table marks --assert "frame.$figure != $value" s.tr > out.txt 2>&1; then
		echo "$figure $value"
	fi
done < figures.txt
echo '# activations'
table=activations
switch() { echo "probe 0 cycle=$1 | next=+$2 next_comm=string:\"$3\""; }
blocks() { echo "probe 1 cycle=$1 | left=4096"; }
wakes() { echo "probe 2 cycle=$2 | pid=+1 comm=string:\"motor\" began=+$1"; }
# The motor is woken at 100, 200 and 400, and responds within 30, 51 (20 of them of the radio) and
# not before the end, at 1000, when it has run for 500 of 600 cycles.
{
	cat << 'END'
header content=stacks
header probe.0=switch
header probe.0.fields=next,next_comm
header probe.1=blocks
header probe.1.fields=left
header probe.2=wakeup
header probe.2.fields=pid,comm,began
func f0 kind=program binary=p name=p
node n1 parent=n0 func=f0
thread t0 tp=4096 name=p
hart 0
END
	switch 10 3 idle; wakes 100 101; switch 110 1 motor; blocks 129; switch 130 3 idle
	wakes 200 201; switch 202 1 motor; switch 215 2 radio; blocks 234; switch 235 1 motor; blocks 250; switch 251 3 idle
	wakes 400 401; switch 500 1 motor
	printf '%s\n' 'srow n1 t0 cycles=1000 instructions=1 fresh' 'end end=power-off'
} | tr-text --encode -o s.tr
check --to 399 --assert 'motor.response_max <= 51' --assert 'motor.response_max < 52' --assert 'motor.response_p99 <= 51' \
	--assert 'motor.period_max == 100' --assert 'motor.jitter == 0' --assert 'motor.activations == 2' --assert 'motor.unwoken == 0'
check --to 399 --assert 'motor.response_max < 51' --assert 'radio.response_max <= 20'
check --to 399 --assert 'motor.cpu_max == 29' --assert 'motor.away == 32'
check --assert 'motor.response_max < 600' --assert 'motor.cpu_max <= 500' --assert 'motor.cpu_max >= 500'
check --assert 'radio.period_min > 1' --assert 'rotor.activations == 0'
check --assert 'rotor.activations < 5'
tr-timeline --table activations --format csv --to 399 s.tr | awk -F, 'NR == 1 { split($0, key); next } $NF == "motor" { for (i = 1; i <= 12; i++) print key[i], $i }' > figures.txt
while read -r figure value; do
	if tr-timeline --table activations --to 399 --assert "motor.$figure == $value" s.tr > out.txt &&
		! tr-timeline --table activations --to 399 --assert "motor.$figure != $value" s.tr > out.txt; then
		echo "$figure $value"
	fi
done < figures.txt
echo '# wrong'
for wrong in motor 'motor < 5' 'motor.max < 5' 'motor.response_max < x' 'motor.response_max < 5 tasks' 'motor.open < 5 cycles' '.jitter < 5'; do
	check --assert "$wrong"
done
table=masked check --assert 'motor.max < 5'
tr-timeline --assert 'motor.max < 5' s.tr || echo "exit $?"
table=marks
marks_stream | awk '/^probe mark/ && !n++ { for (i = 0; i < 257; i++) print } { print }' | tr-text --encode -o s.tr
check --assert 'frame.max < 1k'
table=activations check --assert 'frame.response_max < 1k'
