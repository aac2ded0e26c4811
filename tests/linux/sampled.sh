#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program for Linux, sampled by tr-profile --linux --sample, beside the whole run on the hardware:
# what it prints, its exit status, its processes, the instructions of its functions, its cycles, and
# the share of them that its functions have.
#
#   BIN=build/bin tests/linux/sampled.sh
set -eu -o pipefail
cd "$(dirname "$0")/../.."
BIN=$(cd "$BIN" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH=$BIN:$PATH XDG_CACHE_HOME=$folder/cache LC_ALL=C
fail() { echo "sampled: $1" >&2; cat ./*.err >&2; exit 1; }

cat > phases.c << 'END_OF_PROGRAM'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 1 << 18 };
static int next[N];
__attribute__((noipa)) static unsigned mix(unsigned n)
{
	unsigned h = 1;
	for (unsigned i = 0; i < n; i++)
		h = h * 31 + (i ^ h >> 7);
	return h;
}
__attribute__((noipa)) static long walk(int n)
{
	long sum = 0;
	for (int i = 0, at = 0; i < n; i++)
		sum += at = next[at];
	return sum;
}
int main(void)
{
	unsigned h = 0;
	long sum = 0;
	for (int i = 0; i < N; i++)
		next[i] = (int)((i * 7919U + 12345U) % N);
	if (fork() == 0)
		_exit(mix(500000) == 0);
	wait(NULL);
	for (int k = 0; k < 40; k++) {
		h += mix(100000);
		sum += walk(50000);
	}
	printf("%u %ld\n", h, sum);
	return 3;
}
END_OF_PROGRAM
riscv64-linux-gnu-gcc -O2 -g -static -o phases phases.c

# run NAME OPTION...: profiles it into NAME.
run() {
	local name=$1 status=0
	shift
	tr-profile --linux "$@" -o "$name" ./phases < /dev/null > "$name.out" 2> "$name.err" || status=$?
	[ $status = 3 ] || fail "$name: exit status $status"
}
run whole
run sampled --sample=interval=100k
cmp whole/console.txt sampled/console.txt >&2 || fail 'other output'
for file in flame.svg functions.txt classes.svg classes.txt stacks.folded summary.txt start.checkpoint; do
	[ -s sampled/$file ] || fail "no $file"
done
[ ! -e sampled/timeline.svg ] && grep -q '^tr-profile: note: no timeline: of a sampled run' sampled.err || fail 'a timeline, or no note'
processes() { sed 's/;.*//' "$1/stacks.folded" | grep '^phases' | sort -u; }
cmp <(processes whole) <(processes sampled) >&2 || fail 'other processes'
[ "$(processes sampled | wc -l)" = 2 ] || fail 'not two processes'

# table FOLDER: "all CYCLES", and for each function of the program its instructions and share. The
# columns are found by their headings, of which "self %" and "total %" are two words.
table() {
	awk 'NR == 2 { gsub(/ %/, "%"); for (i = 1; i <= NF; i++) column[$i] = i }
		$NF ~ /^(mix|walk)$/ { print $NF, $column["instructions"], $column["self%"] }
		/charged: / { gsub(/ /, ""); sub(/.*%of/, ""); print "all", $0 + 0 }' "$1/functions.txt" | sort
}
table whole > whole.table && table sampled > sampled.table
awk 'NR == FNR { first[$1] = $2; share[$1] = $3; next }
	function size(x) { return x < 0 ? -x : x }
	{ n++ }
	$1 == "all" { bad += !(size($2 / first[$1] - 1) < 0.03); next }
	{ bad += first[$1] != $2 || !(size($3 - share[$1]) < 1) }
	END { exit bad || n != 3 }' whole.table sampled.table || fail "the estimates are others: $(cat whole.table sampled.table)"

# The trace alone gives the same profile again.
tr-profile -o again sampled/trace.tr > again.out 2> again.err || fail 'again: exit status'
for file in stacks.folded functions.txt classes.txt flame.svg; do
	cmp "again/$file" "sampled/$file" >&2 || fail "again: another $file"
done
echo "sampled: $(paste -sd ' ' sampled.table), of a whole run $(paste -sd ' ' whole.table)"
