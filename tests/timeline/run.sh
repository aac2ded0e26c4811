#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reads timelines: the cycles of all slices of a stack are those that tr-fold charges to it,
# in Perfetto's format by thread and in speedscope's by thread and by hart; the time between
# the switches of a hart is the cycles that tr-fold charges to it; protoc accepts the file
# with our description of the format, and knows all of its fields. With probes on a kernel's
# tasks, the time between switches is the cycles of the processes in their table, and the
# times from wake-ups to switches are those in the table of wake-ups.
#
#   tests/timeline/run.sh build/bin build/tests/timeline-decode [build/tests/peak]
#
# The last argument measures memory.
set -eu -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../.." && pwd)
decode=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
peak=${3:+$(cd "$(dirname "$3")" && pwd)/$(basename "$3")}
PATH=$(cd "$1" && pwd):$PATH
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
passed=0
tasks=0

ok() { passed=$((passed + 1)); }
fail() {
	echo "timeline: $*" >&2
	failed=$((failed + 1))
}

# Adds up the cycles of equal stacks, and leaves out those without any.
add_up() {
	awk '{ cycles = $NF; sub(/ [0-9]+$/, ""); sum[$0] += cycles }
		END { for (stack in sum) if (sum[stack]) printf "%s %d\n", stack, sum[stack] }' | sort
}

# Compares file $2, which must not be empty, with the folded stacks $3; $1 tells what it is.
same() {
	if [ -s "$2" ] && diff "$2" "$3" > "$work/diff"; then ok; else
		fail "$1: other cycles than those of tr-fold:"
		head -20 "$work/diff" >&2
	fi
}

# Checks stream $2, named $1, with the options after these.
check() {
	local name=$1 stream=$2 by
	shift 2
	tr-fold --by thread "$@" "$stream" | sed 's/^[^;]*;//' | add_up > "$work/folded"
	tr-timeline --min-cycles 0 --max-depth 0 --clock 0 "$@" -o "$work/perfetto" "$stream"
	"$decode" "$work/perfetto" "$work/switches" 2> "$work/counts" | add_up > "$work/slices" ||
		fail "$name: $(cat "$work/counts")"
	same "$name $*, perfetto" "$work/slices" "$work/folded"
	tr-fold --by hart "$@" "$stream" | sed 's/^hart /cpu /; s/;.* / /' | add_up > "$work/harts"
	grep '^cpu' "$work/switches" | sort > "$work/cpus" || :
	same "$name $*, switches" "$work/cpus" "$work/harts"
	if tr-timeline --table processes --format csv "$@" "$stream" > "$work/processes" 2> "$work/said"; then
		awk -F, 'NR > 1 && $5 { print "pid", $1, $5 }' "$work/processes" | sort > "$work/ran"
		grep '^pid' "$work/switches" | sort > "$work/pids" || :
		same "$name $*, processes" "$work/pids" "$work/ran"
		# Wake-ups before a window are not in the file.
		if [ $# = 0 ]; then
			tr-timeline --table wakeups --format csv "$stream" |
				awk -F, 'NR > 1 { print "wait", $5, $1, $4 }' | sort > "$work/waited"
			grep '^wait' "$work/switches" | sort > "$work/waits" || :
			same "$name, wake-ups" "$work/waits" "$work/waited"
		fi
		tasks=$((tasks + 1))
	elif grep -q 'numbers of the kernel' "$work/counts"; then
		fail "$name: numbers that are not marked as ours"
	fi
	for by in thread hart; do
		tr-timeline --format speedscope --by $by --min-cycles 0 --max-depth 0 "$@" \
			-o "$work/speedscope" "$stream"
		python3 "$here/read-speedscope.py" "$work/speedscope" | add_up > "$work/slices" ||
			fail "$name: speedscope --by $by: not a valid file"
		same "$name $*, speedscope --by $by" "$work/slices" "$work/folded"
	done
	protoc --proto_path="$src/filters/lib" --decode tr_perfetto.Trace \
		timeline/perfetto.proto < "$work/perfetto" > "$work/text" ||
		fail "$name: protoc cannot read the file"
	# A field without a name is one that the description lacks.
	if grep -q '^packet' "$work/text" && ! grep -qE '^ *[0-9]+(:| \{)' "$work/text"; then ok; else
		fail "$name: protoc does not know all fields"
	fi
}

tr-text --encode -o "$work/machine.tr" "$src/tests/cli/data/machine.txt"
check machine "$work/machine.tr"
check machine "$work/machine.tr" --from 10 --to 31
check machine "$work/machine.tr" --from main --to 180
check machine "$work/machine.tr" --fold linux
for data in fold-counters tasks; do
	tr-text --encode -o "$work/$data.tr" "$src/tests/cli/data/$data.txt"
	check $data "$work/$data.tr"
done
check tasks "$work/tasks.tr" --from 200 --to 460
check tasks "$work/tasks.tr" --from compare
if [ $tasks = 3 ]; then ok; else fail "$tasks tables of processes"; fi

# The names of system calls are those of the kernel's headers for RISC-V.
echo '#include <asm/unistd.h>' | riscv64-linux-gnu-gcc -E -dM - |
	awk -f "$src/filters/lib/timeline/syscalls.awk" > "$work/calls"
if [ "$(wc -l < "$work/calls")" -gt 300 ] && ! grep -vxF -f "$src/build/embedded/timeline/syscalls.inc" "$work/calls"; then ok; else
	fail 'other names of system calls than those of the headers'
fi
# What ran needs a process and a privilege.
sed '0,/^srow/s//scontext priv=U process=0\nsrow/' "$src/tests/browser/flame.txt" | tr-text --encode -o "$work/flame.tr"
check flame "$work/flame.tr"
# A stream of $1 threads, each in a process; each runs twice, and does not end.
threads() {
	awk -v count="$1" 'BEGIN {
		print "header content=stacks\nheader clock_hz=1000000000"
		print "func f0 kind=program binary=p name=p\nnode n1 parent=n0 func=f0"
		for (i = 1; i < 8; i++) {
			print "func f" i " kind=function binary=p name=function_" i
			print "node n" i + 1 " parent=n" i " func=f" i
		}
		for (i = 0; i < 2 * count; i++) {
			t = i % count
			if (i % 50 == 0) print "frame " i / 50
			if (i < count) print "thread t" t " tp=" 4096 * t + 4096 " name=p"
			print "hart 0 cycle=" 15 * i "\nscontext priv=U process=" t
			print "srow n" 3 + i % 5 " t" t " cycles=10 instructions=8" (i < count ? " fresh" : "")
			print "srow n" 2 + i % 7 " t" t " cycles=5 instructions=4"
		}
		print "end end=power-off"
	}' | tr-text --encode
}
threads 2500 > "$work/threads.tr"
check threads "$work/threads.tr"

# Memory for each thread, of which the names of thread and process are a large part.
memory() {
	local format=$1 stream before after
	for stream in few many; do
		"$peak" "$work/peaks" tr-timeline --format $format -o "$work/out" "$work/$stream.tr" 2> "$work/said"
	done
	read -r before after < <(awk '{ print $2 }' "$work/peaks" | tail -n 2 | paste -s)
	if [ $((after - before)) -lt $((40000 * 400 / 1024)) ]; then ok; else
		fail "$format: 10 000 threads take $before KiB, 50 000 $after KiB"
	fi
}
if [ "$peak" ]; then
	threads 10000 > "$work/few.tr"
	threads 50000 > "$work/many.tr"
	for format in perfetto speedscope 'speedscope --by thread' svg; do memory "$format"; done
fi
cd "$src/build/target"
if ! tr-capture --max-cycles 300k -- soc-model firmware.elf demo.elf 2> /dev/null < /dev/null |
	tr-match --bins bins.lst 2> "$work/said" | tr-unwind -o "$work/demo.tr" 2>> "$work/said"; then
	cat "$work/said" >&2
	fail 'demo: no stacks'
	exit 1
fi
check demo "$work/demo.tr"

# The check finds what is wrong.
head -c "$(($(wc -c < "$work/perfetto") - 7))" "$work/perfetto" > "$work/cut"
if "$decode" "$work/cut" > /dev/null 2>&1; then fail 'a file that is cut was accepted'; else ok; fi
echo "timeline: $passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" = 0 ]
