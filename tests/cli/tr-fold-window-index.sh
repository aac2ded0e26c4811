# SPDX-License-Identifier: Apache-2.0
# A window of a file is read by its index: the same bytes as without one, from a pipe, from a
# plain file, or with a damaged index. What is not in the window is not read.
# stream HARTS HITS: 200 frames of random rows, in which functions, stacks, threads, names and
# tasks come by and by, and a last hart is in late frames, of earlier cycles.
stream() {
	awk -v HARTS="$1" -v HITS="$2" '
	function random(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
	function define(i) {
		if (i % 3 == 0 && funcs < 40) {
			printf "func f%d kind=%s binary=b%d name=%s%d\n", funcs, funcs ? "function" : "program", funcs % 3, "work", funcs
			funcs++
		}
		printf "node n%d parent=n%d func=f%d\n", nodes + 1, nodes ? random(nodes > 6 ? 6 : nodes) : 0, random(funcs)
		nodes++
		if (i % 9 == 0) {
			printf "thread t%d tp=0x%x satp=0x%x name=p%d\n", threads, i % 2 ? 0 : i, i, threads % 4
			threads++
		}
		if (i % 11 == 0) printf "task k%d pid=%d tgid=%d name=task%d\n", tasks, 10 + tasks, 10 + tasks, tasks
		if (i > 60 && i % 7 == 0) printf "rename t%d name=renamed%d\nthread_tp t%d tp=0x%x\n", random(threads), i, random(threads), i
		if (i % 11 == 0) printf "use t%d task=k%d\n", random(threads), tasks++
	}
	BEGIN {
		seed = 41
		print "header content=stacks\nheader classes=a.x,idle.wfi\nheader harts=" HARTS
		if (HITS) print "header probe.0=here\nheader probe.0.fields="
		for (frame = 0; frame < 200; frame++) {
			if (frame) print "frame"
			if (frame < 90 || frame % 40 == 0) define(frame)
			for (h = 0; h < HARTS - (frame < 120 && HARTS > 1); h++) {
				printf "hart %d%s\n", h, begun[h]++ ? "" : " cycle=" (h == 2 ? 40000 : h * 7)
				for (row = random(6); row >= 0; row--) {
					if (random(3) == 0) printf "scontext priv=%s process=%d\n", substr("USM", 1 + random(3), 1), random(5)
					else if (!contexts[h]) print "scontext priv=U process=1"
					contexts[h] = 1
					cycles = random(5) ? random(400) : 0
					printf "srow n%d t%d cycles=%d instructions=%d", 1 + random(nodes), random(threads), cycles, int(cycles / 3) + (cycles == 0)
					if (cycles > 9) printf " classes=/%d*%d", 1 + random(2), random(int(cycles / 3))
					print random(4) ? "" : " fresh"
					time[h] += cycles
					if (HITS && frame % 30 == 5) printf "probe 0 cycle=%d | (here)\n", time[h]
				}
			}
		}
		print "end end=power-off"
	}' | tr-text --encode --no-provenance -o "$3"
}
stream 1 0 one.tr
stream 3 0 three.tr
stream 1 1 hits.tr
for name in one three hits; do
	zstd -dqc $name.tr > $name.plain.tr
	tr-info $name.tr | grep -m 2 -E '^  (frames|cycles) '
	for window in '--from 30k' '--to 3000' '--from 41k --to 42k' '--from 60001 --to 60002' \
		'--from 68k --to 69k' '--from 100k --to 101k' '--from 114k' '--from 400M'; do
		for view in 'tr-fold -v' 'tr-fold -v --by process' 'tr-fold --by thread' 'tr-fold --by privilege' 'tr-fold -v --by hart' \
			'tr-fold -v --idle' 'tr-fold -v --tma --svg view.svg' 'tr-fold --svg view.svg' \
			'tr-fold --focus work7' 'tr-fold --hide work5 --merge-recursion --svg view.svg' \
			'tr-fold --off-cpu' 'tr-timeline' 'tr-timeline --format svg' 'tr-timeline --format speedscope' \
			'tr-report tma' 'tr-report functions'; do
			for form in .plain ''; do
				rm -f view.svg
				# shellcheck disable=SC2086 # words
				{ $view $window $name$form.tr 2>&1 | sed "s/$form\.tr/.tr/"; cat view.svg 2> /dev/null; } > view$form
			done
			cmp view view.plain || echo "$view $window $name: differ"
			views=$((${views-0} + 1))
		done
	done
done
echo "$views views are the same"

# An instruction of no cycles commits in the cycle before: frame 16 begins with one, in cycle 16000.
{
	printf '%s\n' 'header content=stacks' 'func f0 kind=program name=p' 'func f1 kind=function name=f' \
		'node n1 parent=n0 func=f0' 'node n2 parent=n1 func=f1' 'thread t0 name=p' 'hart 0 cycle=0'
	for i in {0..39}; do
		[ "$i" = 0 ] || echo frame
		printf 'srow n%d t0 cycles=%d instructions=1\n' 2 0 1 1000
	done
	echo 'end end=power-off'
} | tr-text --encode -o edges.tr
for window in '--from 15k --to 16k' '--from 16k --to 17k' '--from 16001' '--to 15999'; do
	# shellcheck disable=SC2086 # words
	tr-fold -v $window --unit instructions edges.tr 2>&1
	# shellcheck disable=SC2086 # words
	zstd -dqc edges.tr | tr-fold -v $window --unit instructions 2>&1 | sed 's/<stdin>/edges.tr/' | cmp - <(tr-fold -v $window --unit instructions edges.tr 2>&1)
done
echo '== what is not in the window is not read'
for from in 10k 60k 100k; do
	{ head -c 3000 one.tr; printf XXXX; tail -c +3005 one.tr; } > damaged.tr
	tr-fold --from $from damaged.tr > got 2>&1
	status=$?
	tr-fold --from $from one.tr | cmp -s - got && echo "from $from: $status: the same" || echo "from $from: $status"
done
echo '== a window by a function, a damaged index, another file, a pipe, a cut file, bytes behind it'
tr-fold --from work3 damaged.tr 2>&1 | sed 's/record.*/.../'
{ head -c -40 one.tr; printf XXXX; tail -c 36 one.tr; } > damaged.tr
{ zstd -qc --no-check one.plain.tr; tail -c $(($(stat -c %s one.tr) / 3)) one.tr; } > other.tr
head -c -1 one.tr > cut.tr
head -c -1 one.tr > behind.tr
tail -c 1 one.tr | cat behind.tr - > again.tr
printf 'P*M\030\003\000\000\000abc' | cat one.tr - > behind.tr
for file in damaged.tr again.tr behind.tr one.plain.tr; do
	tr-fold --from 60k --to 61k $file | cmp - <(tr-fold --from 60k --to 61k one.tr) && echo $file
done
tr-fold --from 60k --to 61k < one.tr | cmp - <(cat one.tr | tr-fold --from 60k --to 61k)
tr-fold --from 60k --to 61k -@ 3 one.tr | cmp - <(tr-fold --from 60k --to 61k one.plain.tr)
tr-fold --from 60k --to 61k cut.tr
tr-fold --from 60k --to 61k other.tr > /dev/null 2>&1
echo "other: $?"
