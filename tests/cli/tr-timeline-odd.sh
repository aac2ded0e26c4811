# SPDX-License-Identifier: Apache-2.0
# Streams that are unusual: in each format the file is well-formed, and without a minimum the
# cycles of its stacks are those of tr-fold.
add_up() {
	awk '{ cycles = $NF; sub(/ [0-9]+$/, ""); sum[$0] += cycles }
		END { for (stack in sum) if (sum[stack]) printf "%s %d\n", stack, sum[stack] }' | sort
}
# go NAME [OPTION...]: the stream is NAME.tr.
go() {
	local name=$1 by
	shift
	echo "# $name $*"
	tr-fold "$@" $name.tr | add_up > folded
	for by in hart thread; do
		tr-timeline --format speedscope --by $by --min-cycles 0 --max-depth 0 "$@" -o $name.json $name.tr || return
		python3 "$SRC/tests/timeline/read-speedscope.py" $name.json | add_up | diff - folded && echo "speedscope by $by: $(wc -l < folded) stacks"
	done
	grep -o '"name":"nothing ran"' $name.json
	tr-timeline --format svg "$@" -o $name.svg $name.tr
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' $name.svg
	sed -n 's/.*class="note" x="600" y="42"[^>]*>\([^<]*\)<.*/picture: \1/p' $name.svg
	echo "bars: $(grep -c '^<rect class="[tr]' $name.svg), privileges: $(grep -c '^<path class="[USMV]"' $name.svg)"
	for by in thread hart; do
		tr-timeline --by $by --min-cycles 0 --max-depth 0 "$@" $name.tr | wc -c | sed "s/^/perfetto by $by: /"
	done
}
# stream: functions p, f1 to f$1, each on the one before, and what awk prints for standard
# input, where row(depth, thread, cycles, fresh, priv, process) is a row.
stream() {
	local body
	body=$(cat)
	awk -v depth="$1" '
		function row(n, t, cycles, fresh, priv, process) {
			if (priv) print "scontext priv=" priv " process=" process
			print "srow n" n " t" t " cycles=" cycles " instructions=1" (fresh ? " fresh" : "")
		}
		BEGIN {
			print "header content=stacks\nheader clock_hz=1000000000"
			for (i = 0; i < depth; i++) {
				print "func f" i " kind=" (i ? "function" : "program") " binary=p name=" (i ? "f" i : "p")
				print "node n" i + 1 " parent=n" i " func=f" i
			}
		'"$body"'
			print "end end=power-off"
		}' | tr-text --encode
}
stream 6 > harts.tr << 'END'
for (t = 0; t < 7; t++) print "thread t" t " tp=" 4096 * t + 4096 " name=p"
for (i = 0; i < 20; i++) {
	print "frame " i
	for (h = 0; h < 5; h++) {
		print "hart " h " cycle=" 1000 * i
		for (k = 0; k < 10; k++) row(1 + (k + h) % 6, (h + i) % 7, 100, !k, substr("USM", 1 + k % 3, 1), 1 + (h + i) % 7)
	}
}
END
stream 3 > processes.tr << 'END'
for (t = 0; t < 300; t++) print "thread t" t " tp=" 4096 * t + 4096 " name=program" t
print "hart 0"
for (t = 0; t < 300; t++) {
	row(3, t, 1000, 1, "U", t + 1)
	row(2, t, 100, 0, "S", t + 1)
}
END
stream 2 > cycle.tr <<< 'print "thread t0 tp=4096 name=p\nhart 0"; row(2, 0, 1, 1, "U", 1)'
stream 2 > none.tr <<< 'print "thread t0 tp=4096 name=p\nhart 0 cycle=5"; row(2, 0, 0, 1, "U", 1)'
stream 0 > empty.tr <<< ''
stream 16000 > deep.tr <<< 'print "thread t0 tp=4096 name=p\nhart 0"; row(16000, 0, 100, 1, "U", 1); row(1, 0, 10); row(16000, 0, 10)'
stream 2 > large.tr <<< 'print "thread t0 tp=4096 name=p\nhart 4294967294 cycle=1152921504606840000"; row(2, 0, 10, 1, "U", 1)'
# No process and no privilege; gaps.
stream 3 > plain.tr << 'END'
print "func f3 kind=gap name=\"[not traced]\"\nnode n4 parent=n0 func=f3\nthread t0 tp=0 name=\"\"\nthread t1 tp=0 name=p\nhart 0"
row(3, 1, 10, 1); row(4, 0, 20); row(2, 1, 10); row(4, 1, 20)
END
go harts
go harts --from 5000 --to 5001
go harts --from 19999
go processes
go cycle
go none
go empty
go deep
go large
go plain
