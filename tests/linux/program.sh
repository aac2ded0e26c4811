#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs from outside of this tree, each by one command: static and dynamic ones, with a
# library of their own, in C, C++, and Rust if its compiler has the target. What they print,
# their exit status, and that the profile has their functions, by process.
#
#   BIN=build/bin RUST_FOLDER=build/rust tests/linux/program.sh
set -eu -o pipefail
cd "$(dirname "$0")/../.."
source=$PWD
BIN=$(cd "$BIN" && pwd)
mkdir -p "${RUST_FOLDER:-build/rust}"
rust_folder=$(cd "${RUST_FOLDER:-build/rust}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH=$BIN:$PATH XDG_CACHE_HOME=$folder/cache LC_ALL=C
cc=riscv64-linux-gnu-gcc
count=0
fail() { echo "program: $1: $2" >&2; cat "$1.err" >&2; exit 1; }

# run NAME STATUS WORD...: profiles WORD..., into NAME; what it prints must be NAME.want.
run() {
	local name=$1 want=$2 status=0 start=$EPOCHREALTIME
	shift 2
	tr-profile --linux -o "$name-profile" "$@" > "$name.out" 2> "$name.err" || status=$?
	[ $status = "$want" ] || fail "$name" "exit status $status, not $want"
	cmp "$name-profile/console.txt" "$name.want" >&2 || fail "$name" 'other output'
	head -c "$(stat -c %s "$name.want")" "$name.out" | cmp - "$name.want" >&2 || fail "$name" 'other standard output'
	for file in flame.svg functions.txt timeline.svg timeline.perfetto stacks.tr trace.tr start.checkpoint; do
		[ -s "$name-profile/$file" ] || fail "$name" "no $file"
	done
	grep -q '^  end *power-off$' "$name-profile/summary.txt" || fail "$name" 'no end'
	count=$((count + 1))
	awk -v name="$name" -v from="$start" -v to="$EPOCHREALTIME" '$1 == "cycles" && !cycles { cycles = $2 }
		END { printf "  %-10s %5.1f s, %9d cycles\n", name, to - from, cycles }' "$name-profile/summary.txt"
}
# has NAME PATTERN: the stacks have such a line.
has() {
	grep -q -- "$2" "$1-profile/stacks.folded" || fail "$1" "no stack $2"
}

cat > hello.c << 'END'
#include <stdio.h>
__attribute__((noinline)) int sum(int n) { int s = 0; for (volatile int i = 0; i < n; i++) s += i; return s; }
int main(int argc, char **argv)
{
	printf("sum %d\n", sum(1000));
	for (int i = 1; i < argc; i++)
		printf("[%s]\n", argv[i]);
	return argc;
}
END
$cc -O2 -g -static -o hello hello.c
printf 'sum 499500\n' > static.want
run static 1 ./hello < /dev/null
has static '^hello\[[0-9]*\];hello;_start;.*main;sum [0-9]*$'
has static '^init\[1\];'
grep -q 'note: booting' static.err || fail static 'it did not boot'
cp static-profile/stacks.folded first.folded
run static 1 ./hello < /dev/null
cmp static-profile/stacks.folded first.folded || fail static 'another profile'
# The trace alone gives the same profile again.
tr-profile -o again static-profile/trace.tr > again.out 2> again.err || fail again 'exit status'
for file in stacks.folded functions.txt classes.txt flame.svg timeline.perfetto; do
	cmp "again/$file" "static-profile/$file" >&2 || fail again "another $file"
done
# The program is one thread from its first instruction on.
[ "$(tr-fold --by thread static-profile/stacks.tr | grep -c '^hello\[')" -gt 0 ] || fail static 'no thread'
! tr-fold --by thread static-profile/stacks.tr | grep -v '^[^;]*\[[0-9]*\];' >&2 || fail static 'a thread without a pid'
grep -q 'note: going on from the cached' static.err || fail static 'the checkpoint is not cached'
# A probe of any binary also meets the kernel's vdso.
echo 'sum: *: sum { n = arg0 }' > any.probes
cp static.want any.want
run any 1 --model --probes any.probes ./hello < /dev/null
tr-text any-profile/stacks.tr | grep '^probe.*(sum)$' > /dev/null || fail any 'no hit'
printf 'sum 499500\n[a  b]\n[]\n[--model]\n["]\n' > arguments.want
run arguments 5 ./hello 'a  b' '' --model '"'
$cc -O2 -g -nostdlib -static -fPIE -Wl,-pie,--no-dynamic-linker -o pie -x c - << 'END'
static long call(long number, long a, long b, long c)
{
	register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return a0;
}
__attribute__((noinline)) void spin(void) { for (volatile int i = 0; i < 1000; i++) ; }
void _start(void) { spin(); call(64, 1, (long)"bytes \r\n\x1e end", 12); call(93, 42, 0, 0); }
END
printf 'bytes \r\n\036 en' > pie.want
run pie 42 ./pie < /dev/null
has pie '^pie\[[0-9]*\];pie;_start;spin [0-9]*$'

mkdir lib
$cc -O2 -g -shared -fPIC -Wl,-soname,libown.so.1 -o lib/libown.so.1 -x c - <<< \
	'int own_sum(int n) { int s = 0; for (volatile int i = 0; i < n; i++) s += i; return s; }'
cat > dynamic.c << 'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int own_sum(int n);
static void *run(void *argument) { printf("thread %d\n", own_sum(2000)); fflush(stdout); pthread_exit(argument); }
int main(void)
{
	char line[100];
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	while (fgets(line, sizeof(line), stdin))
		printf("read %s", line);
	printf("\n%s\n", getenv("OWN"));
	return own_sum(3);
}
END
# shellcheck disable=SC2016 # of the loader
$cc -O2 -g -o dynamic dynamic.c lib/libown.so.1 -pthread '-Wl,-rpath,$ORIGIN/lib'
printf 'thread 1999000\nread one\nread two\nx y\n' > dynamic.want
printf 'one\ntwo' > input
run dynamic 3 --env 'OWN=x y' ./dynamic < input
has dynamic '^dynamic\[[0-9]*\];.*;run;own_sum [0-9]*$'
has dynamic '^dynamic\[[0-9]*\];.*;main;own_sum [0-9]*$'
printf 'thread 1999000\nread one\nread two\nx y\n' > model.want
run model 3 --model --env 'OWN=x y' ./dynamic < input
has model ';main;own_sum [0-9]*$'
# A pipe is read to its end, and one that waits says so.
cp model.want piped.want
run piped 3 --model --env 'OWN=x y' ./dynamic < <(printf 'one\n'; sleep 3; printf two)
grep -q 'note: waiting for the end of standard input' piped.err || fail piped 'no note'
cp model.want early.want
run early 3 --model --env 'OWN=x y' ./dynamic < <(cat input)
! grep -q 'note: waiting' early.err || fail early 'waits for an end that has come'

cat > cxx.cc << 'END'
#include <iostream>
#include <stdexcept>
#include <vector>
__attribute__((noinline)) double mean(const std::vector<double> &values)
{
	double sum = 0;
	for (double value : values)
		sum += value;
	if (values.empty())
		throw std::runtime_error("no values");
	return sum / static_cast<double>(values.size());
}
int main()
{
	std::cout << mean(std::vector<double>(1000, 1.5)) << std::endl;
	try { mean({}); } catch (const std::exception &e) { std::cout << e.what() << std::endl; }
	return 0;
}
END
riscv64-linux-gnu-g++ -O2 -g -o cxx cxx.cc
printf '1.5\nno values\n' > cxx.want
run cxx 0 ./cxx
has cxx ';main;mean(std::vector'

# A signal ends it; files of its own; a program that it starts.
$cc -O2 -g -o killed -x c - <<< 'int main(void) { volatile char *at = 0; return *at; }'
: > killed.want
run killed 139 ./killed
grep -q 'note: ./killed: exit status 139, as after signal 11: Segmentation fault$' killed.err || fail killed 'no signal'
mkdir -p root/data
echo 'of the root' > root/data/file
cat > starts.c << 'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	char text[100];
	FILE *file = fopen("data/file", "r");
	if (!file || !fgets(text, sizeof(text), file))
		return 99;
	fputs(text, stdout);
	fflush(stdout);
	int status;
	if (fork() == 0)
		execl("/data/other", "other", "argument", NULL);
	wait(&status);
	return WEXITSTATUS(status);
}
END
$cc -O2 -g -o starts starts.c
cp hello root/data/other
printf 'of the root\nsum 499500\n[argument]\n' > starts.want
run starts 2 --root root ./starts
has starts '^other\[[0-9]*\];other;_start;.*main;sum [0-9]*$'

# Rust, whose standard library is there for this target, or is built from its sources as the tutorial
# says. The results of that are kept in RUST_FOLDER.
library=$(rustc --print sysroot 2> /dev/null || true)/lib/rustlib/src/rust/library
rust=(cargo build -q --offline --release --target riscv64gc-unknown-linux-gnu)
if ! rustc --target riscv64gc-unknown-linux-gnu --crate-type lib -o lib.rlib - 2> /dev/null <<< 'pub use std::vec::Vec;'; then
	rust+=(-Z build-std --config 'source.crates-io.replace-with="std"' --config "source.std.directory='$library/vendor'")
	[ -d "$library/vendor" ] || rust=()
fi
if [ ${#rust[@]} -gt 0 ]; then
	mkdir -p shapes/src
	cp "$source/tests/linux/shapes.rs" shapes/src/main.rs
	printf '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n[profile.release]\ndebug = true\n' > shapes/Cargo.toml
	(cd shapes && CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER=$cc CARGO_TARGET_DIR=$rust_folder RUSTC_BOOTSTRAP=1 "${rust[@]}") > rust.err 2>&1 ||
		fail rust 'cargo does not build it'
	printf '%s\n' 'areas [250000, 14000], largest Some(250000) Some(1.5)' 'applied 506500' 'caught true' > rust.want
	run rust 4 "$rust_folder/riscv64gc-unknown-linux-gnu/release/shapes"
	main=';shapes::main[^;]*'
	has rust "$main;<shapes::Square as shapes::Shape>::area [0-9]*$"
	has rust "$main;shapes::largest::<u64> [0-9]*$"
	has rust "$main;shapes::apply;shapes::main::{closure#[0-9]*} [0-9]*$"
	has rust ";shapes::risky;core::panicking::panic_fmt;"
	# Inlined calls: the closure of an iterator, and each addition of it is of the function that has it.
	tr-match --bins rust-profile/bins.lst rust-profile/trace.tr 2> rust.err | tr-unwind --inline 2>> rust.err | tr-fold > inlined.folded
	grep -q "$main;<shapes::Square as shapes::Shape>::area;.*;<shapes::Square as shapes::Shape>::area::{closure#0} (inlined) [0-9]*$" inlined.folded ||
		fail rust 'no inlined closure'
	awk '/;_ZN|;_R[A-Z]/ { bad = 1 } END { exit bad }' inlined.folded || fail rust 'a name is not demangled'
else
	echo '  rust       left out: no standard library for riscv64gc-unknown-linux-gnu, and no sources of it (package rust-web-src)'
fi

# A disk: each read and write of a multiple of its sectors is a request, and takes what the
# disk takes, at least; a file of a file system on it. The disk stays as it is.
cat > blocks.c << 'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
enum { READS = 20, READ = 4096, WRITES = 3, WRITE = 16384 };
static _Alignas(4096) char data[WRITE];
int main(int argc, char **argv)
{
	char known[100] = "";
	int disk = open("/dev/vda", O_RDWR | O_DIRECT);
	for (int i = 0; i < READS; i++)
		if (pread(disk, data, READ, 1048576 + i * 100 * READ) != READ || strspn(data, "0123456789\n") != READ)
			return 1;
	printf("%d reads of %d bytes, from %.8s", READS, READ, data);
	memset(data, 'w', WRITE);
	for (int i = 0; i < WRITES; i++)
		if (pwrite(disk, data, WRITE, 1048576 + i * WRITE) != WRITE)
			return 2;
	memset(data, 0, WRITE);
	if (fsync(disk) != 0 || pread(disk, data, READ, 1048576 + READ) != READ || strspn(data, "w") != READ)
		return 3;
	printf("%d writes of %d bytes\n", WRITES, WRITE);
	if (argc < 2)
		return 0;
	FILE *file = fopen(argv[1], "r");
	if (!file || !fgets(known, sizeof(known), file))
		return 4;
	printf("%s", known);
	return 0;
}
END
$cc -O2 -g -static -o blocks blocks.c
seq -f %07.0f 0 2097151 > disk.img
cksum < disk.img > disk.sum
printf '20 reads of 4096 bytes, from 1103872\n3 writes of 16384 bytes\n' > disk.want
run disk 0 --model --disk disk.img ./blocks
grep -q 'note: disk.img: neither ext2' disk.err || fail disk 'no note'
# requests NAME CYCLES: they take less than CYCLES more than the medium.
requests() {
	tr-timeline --table block --format csv "$1-profile/stacks.tr" > "$1.csv"
	awk -F, -v more="$2" '$9 == "read" && $1 == 21 && $4 == 21 * 4096 || $9 == "write" && $1 == 3 && $4 == 3 * 16384 || $9 == "flush" && $1 == 1 && $4 == 0 {
			least = 32000 + ($1 ? $4 / $1 : 0) / 512 * 683
			good += $2 == 0 && $3 == 0 && $10 == "vda" && $6 >= least && $8 < least + more }
		END { exit good != 3 || NR != 4 }' "$1.csv" || { cat "$1.csv" >&2; fail "$1" 'other requests'; }
}
requests disk 20000
tr-replay --resume disk-profile/start.checkpoint disk-profile/trace.tr > disk.replay || fail disk 'its replay differs'
# Another disk is another run; the same one is not booted again.
cp disk.want again.want
run again 0 --model --disk disk.img ./blocks
grep -q 'note: going on from the cached' again.err || fail again 'the checkpoint is not cached'
cmp disk-profile/stacks.folded again-profile/stacks.folded >&2 || fail again 'another profile'
cksum < disk.img | cmp - disk.sum || fail again 'the disk has changed'
# The hardware goes on from it, and moves the data itself.
cp disk.want hardware.want
run hardware 0 --disk disk.img ./blocks
requests hardware 40000
grep -q 'note: going on from the cached' hardware.err || fail hardware 'the checkpoint is not cached'
tr-replay --resume hardware-profile/start.checkpoint hardware-profile/trace.tr > hardware.replay || fail hardware 'its replay differs'
# A file system, with the known numbers behind it.
mkdir files
echo 'of the file' > files/known
head -c 524288 /dev/zero > ext.img
/usr/sbin/mke2fs -q -F -t ext2 -d files ext.img 512k
head -c 524288 disk.img > part.img
cat ext.img part.img <(tail -c +1048577 disk.img) > both.img
(cat disk.want; echo 'of the file') > files.want
run files 0 --disk both.img ./blocks /disk/known
grep -q 'note: booting' files.err || fail files 'it is another disk'
has files '^blocks\[[0-9]*\];.*;ext4_'

# A file system that cannot be mounted.
head -c 1048576 /dev/zero > bad.img
printf '\123\357' | dd of=bad.img bs=1 seek=1080 conv=notrunc status=none
status=0
tr-profile --linux --model --disk bad.img -o bad ./hello > bad.out 2> bad.err || status=$?
[ $status = 2 ] && grep -q 'console.txt, says: init: the kernel cannot mount the disk: error 22$' bad.err || fail bad 'it was mounted'
count=$((count + 1))

# Regions of two threads that take turns on one hart, with a function of a shared library in each:
# the program states their cycles from the instruction before the begin to the one behind the end,
# which are two more than the region on the model. In the window of one region both threads run.
cat > lib.c << 'END'
#include <tr-profiler/mark.h>
void spin(unsigned long n);
void spin(unsigned long n) { TR_BEGIN(7, "spin"); for (unsigned long i = 0; i < n; i++) __asm__ volatile(""); TR_END(7, "spin"); }
END
cat > turns.c << 'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <tr-profiler/mark.h>
void spin(unsigned long n);
static unsigned long cycle(void) { unsigned long c; __asm__ volatile("rdcycle %0" : "=r"(c) : : "memory"); return c; }
static unsigned long long_one, short_one;
static int to[2], back[2];
static void turn(int out, int in) { char c = 0; if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1) _exit(1); }
static void *other(void *unused)
{
	char c;
	if (read(to[0], &c, 1) != 1)
		_exit(1);
	for (int i = 0; i < 3; i++) {
		unsigned long from = cycle();
		TR_BEGIN(2, "short");
		spin(20000);
		turn(back[1], to[0]);
		TR_END(2, "short");
		short_one += cycle() - from;
	}
	return unused;
}
int main(void)
{
	cpu_set_t one;
	pthread_t thread;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || pipe(to) || pipe(back))
		return 1;
	pthread_create(&thread, NULL, other, NULL);
	for (int i = 0; i < 3; i++) {
		unsigned long from = cycle();
		TR_BEGIN(1, "long");
		spin(30000);
		turn(to[1], back[0]);
		TR_END(1, "long");
		long_one += cycle() - from;
	}
	TR_POINT(3, "over");
	if (write(to[1], "", 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	printf("long %lu\nshort %lu\n", long_one, short_one);
	return 0;
}
END
$cc -O2 -g -fPIC -shared -I"$source/include" -o libspin.so lib.c
$cc -O2 -g -I"$source/include" -o turns turns.c -L. -lspin '-Wl,-rpath,$ORIGIN'
tr-profile --linux --model -o turns-profile ./turns > turns.out 2> turns.err || fail turns 'exit status'
marks() { tr-timeline --table marks --format csv "$@" turns-profile/stacks.tr 2> turns.err | awk -F, 'NR > 1 { print $12, $1, $2, $3, $4, $6 }' | sort; }
marks > turns.marks
awk 'NR == FNR { cycles[$1] = $2; next }
	$1 == "long" || $1 == "short" { n++; if ($2 != 3 || $3 || $4 || $5 + 6 != cycles[$1] || $6 < 120000) exit 1 }
	$1 == "spin" { n++; if ($2 != 6 || $6 > 0) exit 1 }
	$1 == "over" { n++; if ($2 != 1) exit 1 }
	END { exit n != 4 }' turns-profile/console.txt turns.marks || fail turns "not what it states: $(cat turns-profile/console.txt turns.marks)"
tr-fold --by thread --from mark:long#2 --to mark:long#2 turns-profile/stacks.tr | awk '{ thread = $0; sub(/;.*/, "", thread); sum[thread] += $NF }
	END { for (thread in sum) print sum[thread] }' | sort -n > turns.threads
marks --from mark:long#2 --to mark:long#2 | awk 'NR == FNR { threads++; all += $1; if (!least || $1 < least) least = $1; next }
	$1 == "long" { exit !($2 == 1 && !$3 && !$4 && $5 == all && $6 == least && threads == 2) } END { if (!all) exit 1 }' turns.threads - ||
	fail turns 'the window is another one'
count=$((count + 1))

# A program with the name of the kernel.
mkdir same
cp hello same/vmlinux
printf 'sum 499500\n' > same.want
run same 1 ./same/vmlinux < /dev/null
has same '^vmlinux\[[0-9]*\];vmlinux;_start;.*main;sum [0-9]*$'
! grep -q 'another build' same.err || fail same 'the kernel is the program'

# It does not come to the program.
{ head -c 56 /dev/zero; printf 'RSC\5'; head -c 1000000 /dev/zero; } > Image
status=0
tr-profile --linux --kernel Image -o none ./hello > none.out 2> none.err || status=$?
[ $status = 2 ] && grep -q 'tr-profile: ./hello: no checkpoint at the start of this program: soc-model ended with status 2; the console of Linux, in none/console.txt, is empty$' none.err ||
	fail none 'it ran without a kernel'
count=$((count + 1))
echo "program: $count runs as expected"
