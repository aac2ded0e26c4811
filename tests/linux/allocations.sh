#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by heap on Linux, with malloc.probes and linux.probes: what a parent has
# allocated is its child's, too, and ends with exec; C++ with inlined std::vector; a library
# without debug information is left out, which is told. The programs know the numbers.
#
#   BIN=build/bin tests/linux/allocations.sh
set -eu -o pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
BIN=$(cd "$BIN" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH=$BIN:$PATH LC_ALL=C
probes=$source/filters/lib/probe
fail() { echo "allocations: $1" >&2; exit 1; }

cat > forks.c << 'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define KEEP __attribute__((noinline, noclone))
static inline void touch(volatile long *at, int stores, int loads)
{
	for (int i = 0; i < stores; i++)
		at[i & 7] = i;
	for (int i = 0; i < loads; i++)
		(void)at[i & 7];
}
KEEP void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
KEEP volatile long *make_parent(void) { return xmalloc(64); }
KEEP volatile long *make_child(void) { return xmalloc(64); }
KEEP volatile long *make_second(void) { return calloc(8, 8); }
KEEP volatile long *make_third(void) { return realloc(xmalloc(16), 64); }
KEEP volatile long *make_other(void) { return aligned_alloc(64, 64); }

int main(int argc, char **argv)
{
	int status;
	if (argc > 1) {
		touch(make_other(), 700, 70);
		return 0;
	}
	volatile long *mine = make_parent();
	touch(mine, 1000, 100);
	if (fork() == 0) {
		touch(mine, 0, 5000); /* inherited */
		volatile long *own = make_child();
		touch(own, 3000, 0);
		free((void *)own);
		_exit(own[3] == 1);
	}
	wait(&status);
	if (fork() == 0)
		execv(argv[0], (char *[]){argv[0], "again", 0});
	wait(&status);
	free((void *)mine);
	if (fork() == 0) { /* it may get that memory */
		touch(make_second(), 2000, 10);
		touch(make_third(), 20, 400);
		_exit(0);
	}
	wait(&status);
	return 0;
}
END
cat > vector.cc << 'END'
#include <memory>
#include <vector>
#define KEEP __attribute__((noinline, noclone))
KEEP std::unique_ptr<long[]> make_block() { return std::make_unique<long[]>(100); }
KEEP std::vector<long> make_vector() { return std::vector<long>(50, 3); }
int main()
{
	auto block = make_block();
	for (int i = 0; i < 10000; i++)
		((volatile long *)block.get())[i % 100] = i;
	auto vector = make_vector();
	for (int i = 0; i < 5000; i++)
		(void)((volatile long *)vector.data())[i % 50];
}
END
riscv64-linux-gnu-gcc -O1 -g -static -o forks forks.c
riscv64-linux-gnu-g++ -O2 -g -static -o vector vector.cc
riscv64-linux-gnu-g++ -O2 -g -o shared vector.cc

# accesses PROGRAM OPTION...: PROGRAM.tr, with the addresses and hits of its run.
accesses() {
	[ -d "$1-profile" ] || tr-profile --linux --model -o "$1-profile" "./$1" > "$1.out" 2> "$1.err" || { cat "$1.err" >&2; fail "$1: tr-profile"; }
	tr-match --bins "$1-profile/bins.lst" "$1-profile/trace.tr" |
		tr-replay --stream --accesses --probes "$probes/malloc.probes" "${@:2}" - --resume "$1-profile/start.checkpoint" > "$1.tr" 2> "$1.notes" ||
		{ cat "$1.notes" >&2; fail "$1: tr-replay"; }
}
# sums PROGRAM: "SITE LOADS STORES" of the heap.
sums() {
	tr-report memory --by heap --limit 0 --format csv "$1.tr" |
		awk -F, -v binary="$1" '/\[heap\]/ && $NF == binary { split($(NF - 1), word, " "); sub(/[(].*/, "", word[2]); loads[word[2]] += $2; stores[word[2]] += $3 }
			END { for (site in loads) print site, loads[site], stores[site] }' | sort > got
}
has() { # SITE LOADS STORES
	grep -qx "$1 $2 $3" got || { cat got >&2; fail "no $1 with $2 loads and $3 stores"; }
}
accesses forks --probes "$probes/linux.probes"
sums forks
has make_parent 5100 1000
has make_child 0 3000
has make_other 70 700
awk '$1 == "make_second" && $2 >= 10 && $3 == 2000 { n++ } $1 == "make_third" && $2 >= 400 && $3 >= 20 && $3 < 30 { n++ } END { exit n != 2 }' got || { cat got >&2; fail 'calloc() or realloc()'; }
tr-report memory --by heap --format folded forks.tr > folded
grep -q '^forks;.*;main;make_child;xmalloc;\[freed\] [1-9]' folded || fail 'no freed memory'
grep -q '^forks;.*;main;make_parent;xmalloc 6100$' folded || fail 'no stack of xmalloc()'
[ "$(awk '{ sum += $NF } END { print sum }' folded)" = "$(tr-report memory forks.tr | awk 'NR == 1 { print $1 }')" ] || fail 'not all accesses are on stacks'

# Without linux.probes a child has only what it allocates itself.
accesses forks
sums forks
has make_parent 100 1000
has make_child 0 3000

accesses vector
sums vector
has 'make_block' 0 10100
has 'make_vector' 5000 50
accesses shared
grep -q 'libc.so.6 has no debug information: its malloc is not seen' shared.notes || { cat shared.notes >&2; fail 'a library without debug information is not told'; }
echo "allocations: a parent, 3 children, an exec, inlined C++"
