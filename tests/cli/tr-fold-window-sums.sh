# SPDX-License-Identifier: Apache-2.0
# A long window is read by sums over 256 and 4096 frames: the same bytes as from all rows. Damage
# in what the sums stand for is not noticed, and damage in sums makes the reader take the rows.
# stream FRAMES ROWS HARTS TASKS FILE: random rows of a few stacks, in threads and processes that
# come and go; instructions of no cycles among them.
stream() {
	awk -v FRAMES="$1" -v ROWS="$2" -v HARTS="$3" -v TASKS="$4" '
	function random(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
	BEGIN {
		seed = 41
		print "header content=stacks\nheader classes=a.x,idle.wfi\nheader harts=" HARTS
		for (i = 0; i < 12; i++)
			printf "func f%d kind=%s binary=b%d name=%s%d\n", i, i < 3 ? "program" : "function", i % 3, "work", i
		for (; nodes < 3; nodes++) printf "node n%d parent=n0 func=f%d\n", nodes + 1, nodes
		for (frame = 0; frame < FRAMES; frame++) {
			if (frame) print "frame"
			if (frame % int(FRAMES / 8) == 0) {
				printf "node n%d parent=n%d func=f%d\n", ++nodes, 1 + random(nodes - 1), 3 + random(9)
				printf "thread t%d tp=0x%x satp=0x1 name=p%d\n", threads, threads % 3 ? 0x1000 + threads : 0, threads % 4
				threads++
			}
			if (TASKS && frame % 400 == 7) {
				printf "task k%d pid=%d tgid=%d name=task%d\nuse t%d task=k%d\n", tasks, 10 + tasks, 10 + tasks, tasks, random(threads), tasks
				tasks++
			}
			if (frame % 330 == 9) printf "rename t%d name=renamed%d\n", random(threads), frame
			for (h = 0; h < HARTS - (frame < 700 && HARTS > 1); h++) {
				printf "hart %d%s\n", h, begun[h]++ ? "" : " cycle=" (h == 1 ? 150000 : h * 7)
				for (row = 0; row < ROWS; row++) {
					if (row % 8 == 0) {
						process = random(3) ? 1 + int(8 * frame / FRAMES) - random(2) : 0
						printf "scontext priv=%s process=%d\n", process ? "U" : random(2) ? "S" : "M", (process > 0 ? process : 0)
						thread = random(2) ? threads - 1 : random(threads)
					}
					cycles = row && random(5) ? random(30) : 0
					printf "srow n%d t%d cycles=%d instructions=%d", 1 + random(nodes), thread, cycles, int(cycles / 3) + (cycles == 0)
					if (cycles > 9) printf " classes=/%d*%d", 1 + random(2), random(int(cycles / 3))
					print random(4) ? "" : " fresh"
				}
			}
		}
		print "end end=power-off"
	}' | tr-text --encode --no-provenance -o "$5"
}
# windows CYCLES: random windows, and some with ends that are special.
windows() {
	awk -v CYCLES="$1" 'BEGIN {
		srand(1)
		print "--from 1\n--from 0 --to " CYCLES - 1
		for (i = 0; i < 3; i++) {
			from = int(rand() * CYCLES)
			printf "--from %d --to %d\n", from, from + 1 + int(rand() * (CYCLES - from))
		}
	}'
}
same() { # FILE VIEW: compares the view of the window with that of all rows
	local form
	for form in .plain ''; do
		rm -f view.svg
		# shellcheck disable=SC2086 # words
		{ $2 $window "$1$form.tr" 2>&1 | sed "s/$form\.tr/.tr/"; cat view.svg 2> /dev/null; } > view$form
	done
	cmp view view.plain || echo "$2 $window $1: differ"
	views=$((${views-0} + 1))
}
# at FRAME FILE: the cycle at which a frame begins. Rows without cycles may begin in it.
at() {
	tr-text "$2" | awk -v FRAME="$1" '/^frame/ && $2 == FRAME { exit } /^srow/ { sub("cycles=", "", $4); sum += $4 } END { print sum }'
}
stream 1100 64 1 0 one.tr
stream 1100 64 2 0 two.tr
stream 1100 64 1 1 tasks.tr
stream 4400 32 1 0 long.tr
for name in one two tasks; do
	zstd -dqc $name.tr > $name.plain.tr
	while read -r window; do
		for view in 'tr-fold -v' 'tr-fold -v --by process' 'tr-fold --by thread' 'tr-fold --by privilege' 'tr-fold -v --by hart' \
			'tr-fold -v --idle --unit instructions' 'tr-fold -v --by process --svg view.svg' 'tr-fold --tma --svg view.svg' \
			'tr-fold --focus work7 --hide work5 --merge-recursion --svg view.svg' 'tr-report tma'; do
			same $name "$view"
		done
	done < <(windows "$(tr-info $name.tr | awk '$1 == "cycles" { print $2; exit }')")
done
from=$(at 256 one.tr) to=$(at 1024 one.tr)
for window in "--from $from --to $to" "--from $((from - 1)) --to $((to + 1))" "--from $((from + 1)) --to $((to - 1))"; do
	same one 'tr-fold -v --unit instructions'
	same one 'tr-fold -v --by process'
done
zstd -dqc long.tr > long.plain.tr
for window in '--from 1' '--from 12345 --to 2000000'; do
	same long 'tr-timeline --format svg --coarse'
	same long 'tr-fold -v --by process'
	same long 'tr-fold --tma --svg view.svg'
done
echo "$views views compared"
sums() { LC_ALL=C grep -obUaP '\x5e\x2a\x4d\x18' "$1" | cut -d : -f 1; }
for name in one two tasks long; do
	echo "$name: $(($(sums $name.tr | wc -l) - 1)) sums"
done
damage() { # FILE OFFSET TO: writes over eight bytes
	{ head -c "$2" "$1"; printf XXXXXXXX; tail -c +$(($2 + 9)) "$1"; } > "$3"
}
check() { # FILE OPTION...: tells whether a long window of a damaged copy of one.tr is as that of one.tr
	local status=0
	tr-fold --from 1 "${@:2}" "$1" > got 2> error || status=$?
	if [ "$status" = 0 ]; then
		tr-fold --from 1 "${@:2}" one.tr | cmp - got && echo same
	else
		sed 's/\(record\|byte\) [0-9]*/\1 N/g' error
	fi
}
echo '== damage in rows that sums stand for; where no sums are read: by process with tasks'
mapfile -t at < <(sums one.tr)
damage one.tr $((at[1] - 3000)) rows.tr
check rows.tr
check rows.tr --by process
tr-fold rows.tr 2>&1 | sed 's/record.*/.../'
mapfile -t of_tasks < <(sums tasks.tr)
damage tasks.tr $((of_tasks[1] - 3000)) rows-tasks.tr
tr-fold --from 1 --by process rows-tasks.tr 2>&1 | sed 's/record.*/.../'
echo '== damage in sums: their rows are read; in both'
damage one.tr $((at[1] + 40)) sums.tr
check sums.tr
damage sums.tr $((at[1] - 3000)) both.tr
check both.tr
echo '== sums of another section; a cut file'
{
	printf '%s\n' 'header content=stacks' 'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0 cycle=0'
	for frame in {0..599}; do
		[ "$frame" = 0 ] || echo frame
		printf 'srow n1 t0 cycles=%d instructions=5\n' $((10 + frame / 256)){,,}
	done
	echo 'end end=power-off'
} | tr-text --encode --no-provenance -o even.tr
mapfile -t of_even < <(sums even.tr)
size=$(($(od -An -tu4 -j $((of_even[0] + 4)) -N 4 even.tr) + 8))
od -An -tu4 -j $((of_even[1] + 4)) -N 4 even.tr | awk -v SIZE="$size" '{ print ($1 + 8 == SIZE ? "of the same" : "of another") " size" }'
cp even.tr other.tr
tail -c +$((of_even[0] + 1)) even.tr | head -c "$size" | dd of=other.tr bs=1 seek=$((of_even[1])) conv=notrunc status=none
tr-fold --from 1 other.tr | cmp - <(tr-fold --from 1 even.tr) && echo same
head -c $((at[2] + 20)) one.tr > cut.tr
check cut.tr
echo '== with threads, and the same bytes again'
tr-fold --from 1 -@ 3 one.tr | cmp - <(tr-fold --from 1 one.plain.tr)
tr-text one.tr | tr-text --encode --no-provenance -@ 3 -o again.tr
cmp one.tr again.tr
