# SPDX-License-Identifier: Apache-2.0
# Regions of two threads that take turns, one inside the other, a region without an end and a
# point. The program states the cycles of each region by mcycle on both sides of its marks: that
# is, from the instruction before the begin to the one behind the end. On the model these are two
# cycles more than the region; on the hardware, what tr-annotate tells of the instructions up to
# the begin and from the end on. What threads are away is in the rows of the other one.
cat > app.c << 'END'
#include <tr-profiler/mark.h>
typedef unsigned long word;
struct task { word sp; };
static struct task tasks[2];
static word stacks[2][512] __attribute__((aligned(16)));
void jump(struct task *from, struct task *to);
__asm__(".text\n.globl jump\n.type jump, @function\njump: addi sp, sp, -112\n"
	".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\nsd s\\n, 8 + 8 * \\n(sp)\n.endr\nsd ra, 0(sp)\nsd sp, (a0)\nld sp, (a1)\n"
	".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\nld s\\n, 8 + 8 * \\n(sp)\n.endr\nld ra, 0(sp)\naddi sp, sp, 112\nret\n.size jump, . - jump\n");
static inline word cycle(void) { word c; __asm__ volatile("csrr %0, mcycle" : "=r"(c) : : "memory"); return c; }
__attribute__((noipa)) void state(const char *name, word cycles, word away) { __asm__ volatile("" : : "r"(name), "r"(cycles), "r"(away)); }
__attribute__((noipa)) static void spin(word n) { for (word i = 0; i < n; i++) __asm__ volatile(""); }
/* Yields to the other task; returns the cycles of that. */
static inline word away(int me) { word from = cycle(); jump(&tasks[me], &tasks[!me]); return cycle() - from; }
static void first(void)
{
	for (int i = 0; i < 4; i++) {
		word from = cycle();
		TR_BEGIN(1, "frame");
		spin(100 * i);
		word gone = away(0);
		word in = cycle();
		TR_BEGIN(2, "part");
		spin(50);
		TR_END(2, "part");
		word part = cycle() - in;
		TR_END(1, "frame");
		word all = cycle() - from;
		state("frame", all, gone);
		state("part", part, 0);
	}
	TR_POINT(3, "done");
	*(volatile unsigned *)0x100000 = 0x5555;
}
static void second(void)
{
	for (int i = 0;; i++) {
		word from = cycle();
		TR_BEGIN(4, "other");
		spin(70 * i);
		word gone = away(1);
		spin(30);
		TR_END(4, "other");
		word all = cycle() - from;
		state("other", all, gone);
	}
}
void begin(void)
{
	static struct task boot;
	void (*const bodies[])(void) = {first, second};
	for (int i = 0; i < 2; i++) {
		stacks[i][512 - 14] = (word)bodies[i];
		tasks[i].sp = (word)(stacks[i] + 512 - 14);
	}
	jump(&boot, &tasks[0]);
}
END
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	call	begin
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-I"$SRC/include" -T "$SRC/sim/target/firmware/firmware.ld" -o app.elf start.S app.c
run() { # SIMULATOR
	echo "# $1"
	"$1" --max-instructions 100k --trace run.tr app.elf
	tr-match --bins app.elf -o matched.tr run.tr
	tr-unwind -o stacks.tr matched.tr
	tr-replay --probe 'state: app:state { name = str(reg("a0")); cycles = reg("a1") }' run.tr app.elf |
		sed 's/.* name="\(.*\)" cycles=/\1 /' > stated
	tr-timeline --table marks --format csv stacks.tr > table.csv
}
# stated NAME...: what the program states of these, less what the table has.
beyond() {
	awk -v names="$*" '
		FNR == NR { if (index(names, $1)) { n++; sum += $2 } next }
		{ split($0, cell, ","); if (index(names, cell[12])) { m += cell[1] - cell[2]; sum -= cell[4] } }
		END { print n, m, sum }' stated table.csv
}
# The cycles of the instructions between mcycle and the mark, on either side.
outside() {
	tr-annotate --format csv first matched.tr | sed ':a; s/"\([^",]*\),\([^"]*\)"/"\1 \2"/; ta; s/"//g' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ insn = $at["instruction"]; cycles = $at["cycles"]; sum += cycles }
		insn ~ /^csrr.*mcycle/ { if (ended) all += sum; ended = sum = 0 }
		insn ~ /^slti/ && insn ~ /-/ { ended = 1; sum = 0 }
		insn ~ /^slti/ { n = split(insn, word, " "); if (word[n] >= 1024) all += sum }
		END { print all + 0 }'
}
run soc-sim
[ "$(beyond frame part)" = "8 8 $(outside)" ] && echo "the table has what the program states"
run soc-model
beyond frame part
beyond other
sort stated | uniq -c
tr-timeline --table marks stacks.tr
tr-annotate --from mark:frame#2 --to mark:frame#2 first matched.tr | sed -n 2p
tr-report functions --from mark:frame#2 --to mark:frame#2 --format csv stacks.tr | awk -F, '$12 == "first" { print $2, $16 }'
tr-timeline --table marks --format json stacks.tr
echo '# cycles of the other thread in each region'
tr-text stacks.tr | awk '
	/^probe mark/ { mark[++marks] = $0; next }
	/^srow/ {
		t = substr($3, 2) - 1; sub(/.*cycles=/, "")
		for (k in open) if (open[k]) { if (of[k] == t) own[k] += $1; else gone[k] += $1 }
		for (i = 1; i <= marks; i++) {
			split(mark[i], part, "\"")
			n = part[2]
			if (part[4] == "begin") { open[n] = 1; of[n] = t; own[n] = gone[n] = 0 }
			if (part[4] == "end") { open[n] = 0; total[n] += own[n] + gone[n]; away[n] += gone[n] }
		}
		marks = 0
	}
	END { for (n in total) print n, total[n], away[n] }' | sort

echo '# by a probe: a function that has no marks; its region is as long as its calls'
cat > mark.probes << 'END'
mark: app:spin { name = "spin"; kind = "begin" }
+mark: app:spin:return { name = "spin"; kind = "end" }
END
tr-replay --stream --probes mark.probes matched.tr app.elf | tr-unwind -o probed.tr
tr-timeline --table marks --format csv probed.tr 2> /dev/null | awk -F, '$12 == "spin" { print $1, $4 }'
tr-report functions --format csv stacks.tr | awk -F, '$12 == "spin" { print $1, $4 }'
printf '%s\n' 'header content=stacks' 'header probe.0=mark' 'header probe.0.fields=kind,name' 'header probe.1=mark' 'header probe.1.fields=name' \
	'func f0 kind=program name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=p' 'hart 0' 'srow n1 t0 cycles=100 instructions=100' \
	'probe 1 cycle=1 | name=string:"point"' 'probe 0 cycle=2 | kind=string:"begin" name=string:"a"' 'probe 0 cycle=3 | kind=enum:1:"end" name=string:"a"' \
	'probe 0 cycle=4 | kind=missing name=string:"b"' 'probe 0 cycle=5 | kind=string:"ends" name=string:"c"' 'probe 0 cycle=6 | kind=string:"point" name=missing' \
	'probe 1 cycle=7 | name=string:""' 'probe 1 cycle=8 | name=3' 'end end=limit' | tr-text --encode | tr-timeline --table marks

echo '# two harts'
. "$SRC/tests/cli/marks.inc"
marks_stream | tr-text --encode -o s.tr
tr-timeline --table marks s.tr
tr-timeline --table marks --by hart s.tr 2> /dev/null | tail -n +2 | head -n 1
echo '# in a window'
tr-timeline --table marks --from 36 --to 64 s.tr
echo '# for Perfetto'
for by in thread hart; do
	tr-timeline --quiet --clock 0 --by $by s.tr 2> /dev/null | protoc --proto_path="$SRC/filters/lib" --decode tr_perfetto.Trace timeline/perfetto.proto > text
	# TRACK TIME WHAT [NAME] [CYCLES]
	awk '
		{ gsub(/[";]/, "") }
		/^packet/ { time = what = name = uuid = parent = cycles = away = open = note = ""; in_track = 0 }
		/track_descriptor/ { in_track = 1 }
		$1 == "timestamp:" { time = $2 }
		$1 == "type:" { what = $2 }
		$1 == "track_uuid:" { uuid = $2 }
		$1 == "uuid:" { uuid = $2 }
		$1 == "parent_uuid:" { parent = $2 }
		$1 == "name_iid:" && $2 == 1 { note = "cycles" }
		$1 == "name_iid:" && $2 == 2 { note = "start" }
		$1 == "uint_value:" && note { last[note] = $2; note = "" }
		$1 == "uint_value:" { value = $2 }
		$1 == "name:" { text = $0; sub(/ *name: /, "", text); if (text == "away") away = value; else if (text ~ /no end/) open = "open"; else name = text }
		/^}/ && in_track && name == "marks" { is[uuid] = 1 }
		/^}/ && !in_track && uuid in is {
			print "track", uuid, "at", time, tolower(what), name, what == "SLICE_END" ? last["cycles"] " cycles, " away " away " open : "" }' text | sort -k2,2n -k4,4n -s > events.$by
done
sed 's/ *$//' events.thread
cmp <(cut -d' ' -f3- events.thread | sort) <(cut -d' ' -f3- events.hart | sort) && echo 'the same by hart'
echo '# none'
marks_stream | grep -v '^probe' | tr-text --encode | tr-timeline --table marks
tr-timeline --table marks --max-depth 3 s.tr || echo "exit $?"
echo '# in windows that begin at a mark'
tr-timeline --table marks --from mark:frame --to mark:frame s.tr
tr-timeline --table marks --from mark:frame#3 s.tr
tr-timeline --table marks --from 'mark:a b' --to 'mark:a b' s.tr
echo '# in a picture'
tr-timeline --format svg s.tr 2> /dev/null | sed -n '/>marks</,/>hart 0</p' | sed 's/<[^>]*>/ /g; s/^ *//; s/ *$//; s/  */ /g' | grep -v '^$'
echo '# more than can be drawn: the long one and some of the points remain'
{
	marks_stream | sed '/^probe/d; /^frame/,$d' | sed '/^hart 1/,$d; /^srow/d'
	mark 0 '2:"begin"' long
	for mark in short point; do
		awk -v mark=$mark 'BEGIN {
			for (i = 1; i <= 150000; i++) {
				cycle = (mark == "point" ? 1500000 : 0) + 10 * i
				if (mark == "point") printf "probe mark cycle=%d | name=string:\"p\" kind=enum:1:\"point\" number=1\n", cycle
				else for (k = 2; k <= 3; k++) printf "probe mark cycle=%d | name=string:\"short\" kind=enum:%d:\"%s\" number=1\n", cycle + k, k, k == 2 ? "begin" : "end"
				print "srow n2 t1 cycles=10 instructions=10"
			} }'
	done
	mark 3000000 '3:"end"' long
	echo 'end end=limit'
} | tr-text --encode -o many.tr
tr-timeline --format svg many.tr 2> /dev/null > many.svg
grep -o '[0-9 ]* marks are too narrow to be drawn' many.svg
grep -c 'class="count"' many.svg
grep -A1 '>long$' many.svg | tail -n 1 | sed 's/<.*//'
tr-timeline --table marks many.tr
echo '# speedscope: the regions of a thread are a profile of its own, by thread or by hart'
marks_stream | tr-text --encode -o s.tr
cat > regions.py << 'END'
import json, sys
file = json.load(sys.stdin)
for profile in file["profiles"]:
    if profile["name"].endswith(": marks"):
        print(profile["name"], profile["startValue"], profile["endValue"])
        for event in profile["events"]:
            print(event["type"], event["at"], file["shared"]["frames"][event["frame"]]["name"])
END
for by in hart thread; do tr-timeline --format speedscope --by $by s.tr 2> /dev/null | python3 regions.py > $by.txt; done
cmp hart.txt thread.txt && cat hart.txt
