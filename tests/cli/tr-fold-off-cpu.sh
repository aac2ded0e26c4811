# SPDX-License-Identifier: Apache-2.0
# What threads wait for: each reason, what woke them, also when the wake-up begins before the
# thread has left or is known after it has run again, and who still waits at the end; the sum is
# that of the column "away" of the functions; windows, groups, frames, formats; less probes.
text=$SRC/tests/cli/data/waits.txt
tr-text --encode -o s.tr "$text"
try() {
	"$@"
	echo "exit $?"
}
# By hand: a leaves hart 0 at 100, is woken by b at 170 and runs at 200; leaves at 300, is woken
# by b's timer at 370, before that call of the kernel ends, and runs at 400; leaves at 500, is
# woken at 640 by an interrupt of the idle hart 0, and runs at 650 on hart 1, before the call
# that woke it has ended; leaves at 660 and runs at 680 without a wake-up. b is preempted at 200
# and 400, and sleeps from 600 on.
cat > expected << 'END'
a#2;a;main;read;[blocked or runnable] 20
a#2;a;main;read;[blocked];--;irq;[external interrupt] 140
a#2;a;main;read;[blocked];--;tick;[timer interrupt] 70
a#2;a;main;read;[runnable] 40
a#2;a;main;read;schedule;[blocked];--;write;start;b;b#3 70
a#2;a;main;read;schedule;[runnable] 30
b#3;b;start;[timer interrupt];tick;[preempted] 120
b#3;b;start;schedule;[at the end];[blocked] 100
b#3;b;start;write;[preempted] 100
idle#1;k;do_idle;[idle task] 80
idle#1;k;do_idle;[unknown reason] 5
idle#4;k;do_idle;[at the end];[idle task] 20
idle#4;k;do_idle;[idle task] 10
idle#4;k;do_idle;[unknown reason] 30
thread#0;k;[no thread] 680
unseen#7;b;start;[at the end];[unknown reason] 90
unseen#7;b;start;[unknown reason] 540
untraced#8;b;start;[at the end];[unknown reason] 100
END
tr-fold --off-cpu --by thread -v s.tr | diff expected - && echo 'as expected'
echo '# functions whose calls have all ended: away in the table, and on stacks'
tr-fold --off-cpu s.tr | grep -v 'at the end' > off
for name in schedule write tick '[timer interrupt]'; do
	tr-report functions --format csv s.tr | awk -F , -v name="$name" '$12 == name { printf "%s %d", name, $10 }'
	awk -v name="$name" '{ w = $NF; sub(/ [0-9]+$/, ""); sub(/;--;.*/, ""); if (index(";" $0 ";", ";" name ";")) sum += w }
		END { print "", sum }' off
done
# The thread b has a second wait in schedule, which does not end.
for by in joined program process privilege hart; do
	echo "# by $by"
	tr-fold --off-cpu --by $by s.tr
done
echo '# of a part: waits are cut'
tr-fold --off-cpu -v --from 180 --to 660 s.tr
echo '# from a function to its return'
tr-fold --off-cpu -v --from write --to write s.tr
for options in '--hide read' '--fold k' '--focus read' '--merge-recursion'; do
	echo "# $options"
	# shellcheck disable=SC2086 # words
	tr-fold --off-cpu --from 1 --to 700 $options s.tr | grep -v -e idle -e '^k'
done
tr-fold --off-cpu --format csv s.tr | head -4
tr-fold --off-cpu --format json s.tr | head -c 300 | cut -c 1-290
tr-fold --off-cpu --by thread -d parts --svg picture.svg s.tr && ls parts && grep -o '>Off-CPU[^<]*' picture.svg
grep -o '1 920 cycles away in[^<]*' picture.svg
tr-fold --off-cpu --limit 100 s.tr
echo '# in frames of other lengths'
{
	sed '/^hart 0/,$d' "$text"
	# Hart 1 is a frame late, and wakes a.
	sed -n '/^hart 0/,/^frame/p' "$text" | grep -v '^probe 2 cycle=380'
	sed -n '/^frame/,/^hart 1/p' "$text" | sed '1s/.*/hart 0 cycle=400/; $d'
	echo frame
	sed -n '/^hart 1/,$p' "$text" | sed "/^srow n2 t4 cycles=510/i $(grep '^probe 2 cycle=380' "$text")"
} | tr-text --encode | tr-fold --off-cpu --by thread | diff expected -
echo '# a wake-up that begins before the thread has left, and one more of a thread that is awake'
sed 's/began=370/began=290/' "$text" | tr-text --encode | tr-fold --off-cpu --by thread | diff expected -
sed '/^probe 2 cycle=380/{p; s/380/385/; s/370/384/}' "$text" | tr-text --encode | tr-fold --off-cpu --by thread | diff expected -
echo '# without wake-ups'
sed 's/=wakeup/=waken/' "$text" | tr-text --encode | tr-fold --off-cpu -v | grep -v -e idle -e '^k'
echo '# without states'
sed 's/prev_state/state/' "$text" | tr-text --encode | tr-fold --off-cpu -v
echo '# numbers that are none'
sed 's/began=170/began=990/
	s/began=370/began=string:"x"/; s/prev=+6 \(.*\) prev_state=1/prev=4294967296 \1 prev_state=1/' "$text" |
	tr-text --encode | tr-fold --off-cpu | grep -v -e idle -e '^k'
echo '# nobody waits'
sed '/^srow.* t2/d; /^srow.* t[34678]/d; /^probe/d; /^hart 1/,/^end/{/^srow/d}; /^srow n1 /d' "$text" | tr-text --encode > one.tr
tr-fold --off-cpu -v one.tr
for wrong in '--tma --svg x' --idle '--serve 0' '--unit instructions' '--format pprof' '--format firefox' '--format speedscope'; do
	# shellcheck disable=SC2086
	try tr-fold --off-cpu $wrong s.tr
done
try tr-fold --off-cpu missing.tr
tr-fold --off-cpu s.tr > /dev/full
echo "exit $?"
head -c 400 s.tr > cut.tr
try tr-fold --off-cpu cut.tr
echo '# from a checkpoint in user code: the first trap tells the tp of its thread'
{
	sed '/^thread/,$d' "$text"
	cat << 'END'
thread t0 name=""
thread t1 tp=0x0 name=a
thread t2 tp=0x2000 name=a
thread t3 tp=0x3000 name=b
hart 0 cycle=0
srow n4 t1 cycles=10 instructions=1 fresh
srow n5 t1 cycles=10 instructions=1 fresh
srow n5 t2 cycles=30 instructions=1
srow n6 t2 cycles=10 instructions=1 fresh
srow n8 t3 cycles=40 instructions=1 fresh
END
} > first.txt
{
	cat first.txt
	echo 'end end=power-off'
} | tr-text --encode | tr-fold --off-cpu
# On another stack, or if it runs again, it is another thread.
sed 's/^srow n5 t2/srow n9 t2/; $a end end=power-off' first.txt | tr-text --encode | tr-fold --off-cpu
sed '$a srow n5 t1 cycles=10 instructions=1\nsrow n8 t3 cycles=5 instructions=1\nend end=power-off' first.txt | tr-text --encode | tr-fold --off-cpu
