#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens flame graphs in headless Chromium and operates them: run.sh BIN-FOLDER
set -eu -o pipefail
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# A chain of 300 calls; f0 has half of the cycles, the others an equal share each. With
# the argument for recursion, all frames above f0 are f1.
deep() {
	local name
	echo 'header content=stacks'
	for ((i = 0; i < 300; i++)); do
		name=f$i
		[ $# = 0 ] || name=f$((i > 0))
		echo "func f$i kind=function name=$name"
	done
	for ((i = 1; i <= 300; i++)); do
		echo "node n$i parent=n$((i - 1)) func=f$((i - 1))"
	done
	printf '%s\n' 'thread t0 name=deep' 'hart 0' 'srow n1 t0 cycles=299000 instructions=1'
	for ((i = 2; i <= 300; i++)); do echo "srow n$i t0 cycles=1000 instructions=1"; done
	echo 'end end=power-off'
}

# use NAME WIDTH [OPTION...]: runs the steps of NAME.js on the stacks from standard input,
# in a window of that width. They run as a second script of the same document.
use() {
	local dir=$work/$1
	mkdir "$dir"
	"$bin/tr-text" --encode |
		"$bin/tr-fold" -o "$dir/folded" --svg "$dir/flame.svg" "${@:3}"
	[ "$(tail -n 1 "$dir/flame.svg")" = '</svg>' ]
	{
		sed '$d' "$dir/flame.svg"
		printf '<script><![CDATA[\n(() => {\n'
		cat "$here/common.js" "$here/$1.js"
		printf 'finish();\n})();\n]]></script>\n</svg>\n'
	} > "$dir/test.svg"
	run_steps "$1" "$2" "$dir/test.svg"
}

# run_steps NAME WIDTH DOCUMENT: opens a document with steps, and counts them.
run_steps() {
	local dir=$work/$1 good bad
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic \
		--no-first-run --disable-background-networking --disable-component-update \
		--disable-sync --user-data-dir="$dir/profile" --window-size="$2",1800 \
		--virtual-time-budget=5000 --dump-dom "file://$3" \
		> "$dir/dom" 2> "$dir/errors" || { cat "$dir/errors" >&2; exit 1; }
	good=$(grep -c '^PASS ' "$dir/dom" || :)
	bad=$(grep -c '^FAIL ' "$dir/dom" || :)
	sed -n "s/^FAIL /browser: $1: failed: /p" "$dir/dom"
	if ! grep -q "^DONE $((good + bad))\$" "$dir/dom" || [ "$good" = 0 ]; then
		echo "browser: $1: the steps did not come to their end"
		cat "$dir/errors"
		exit 1
	fi
	passed=$((passed + good)) failed=$((failed + bad))
}

# The code in its privilege.
privileges() {
	sed 's/^srow n9/scontext priv=U process=1\n&/; s/^srow n7/scontext priv=S process=1\n&/
		s/^srow n8/scontext priv=M process=1\n&/' "$here/flame.txt"
}

use flame 1200 < <(privileges)
use narrow 700 < "$here/flame.txt"
use deep 1200 < <(deep)
use classes 1200 --tma < "$here/classes.txt"
use recursion 1200 < <(deep recursion)
. "$here/../cli/sampled.inc"
use sampled 1200 < <(sampled 12)
use linked 1200 --annotated 'pages/all of "it".html' < "$here/flame.txt"

# The page of a function, with the program and the run of the test of tr-annotate.
mkdir "$work/annotate" "$work/annotate-packed"
(
	cd "$work/annotate"
	PATH=$bin:$PATH SRC=$(cd "$here/../.." && pwd)
	export XDG_CACHE_HOME=$work/annotate
	. "$SRC/tests/cli/tr-annotate.inc"
	tr-annotate --html page.html --all run.tr
	{
		sed '/^<\/body>/,$d' page.html
		printf '<script>\naddEventListener("load", () => {\n'
		cat "$SRC/tests/browser/common.js" "$SRC/tests/browser/annotate.js"
		printf 'finish();\n});\n</script>\n</body>\n</html>\n'
	} > test.html
	# A large page, whose functions are compressed.
	{
		printf '\t.globl _start\n\t.type _start, @function\n_start:\n\t.rept 4000\n\tbeq a0, a1, . + 8\n\taddi a0, a0, 1\n\t.endr\n'
		printf '\t.size _start, . - _start\n'
	} > many.s
	riscv64-unknown-elf-gcc -march=rv64ima -mabi=lp64 -nostdlib -Wl,-e,_start -Wl,-Ttext=0x10000 -o many.elf many.s
	printf '%s\n' 'header content=rows' 'header xlen=64' 'header bin.0=many.elf' 'hart 0 priv=U satp=0x8000000000000001 space=1' \
		'block start pc=0x10000 00b50463 00150513' 'note 1 start bin=0 address=0x10000' 'row start' 'end end=power-off' |
		tr-text --encode -o many.tr
	tr-annotate --html many.html _start many.tr 2> messages
	{
		sed '/^<\/body>/,$d' many.html
		printf '<script>\naddEventListener("load", function wait() {\nif (document.getElementById("packed")) return void setTimeout(wait, 50);\n'
		cat "$here/common.js" "$here/annotate-packed.js"
		printf 'finish();\n});\n</script>\n</body>\n</html>\n'
	} > packed.html
)
run_steps annotate 1200 "$work/annotate/test.html"
run_steps annotate-packed 1200 "$work/annotate/packed.html"
echo "browser: $passed passed, $failed failed"
[ "$failed" = 0 ]

# Real input and pixels. 99 950 frames: 1999 chains of 50.
big() {
	awk 'BEGIN {
		print "header content=stacks"
		for (i = 0; i < 2000; i++) print "func f" i " kind=function binary=b" i % 12 " name=function_" i
		for (i = 0; i < 99950; i++)
			print "node n" i + 1 " parent=n" (i % 50 ? i : 0) " func=f" (int(i / 50) + i % 50 * 13) % 2000
		print "thread t0 name=big\nhart 0"
		for (i = 50; i <= 99950; i += 50) print "srow n" i " t0 cycles=" 1000 + i % 7 " instructions=1"
		print "end end=power-off"
	}'
}
# A chain of 1,200 calls, nearly as wide as the picture.
tall() {
	awk 'BEGIN {
		print "header content=stacks"
		for (i = 0; i < 1200; i++) print "func f" i " kind=function name=function_" i
		for (i = 0; i < 1200; i++) print "node n" i + 1 " parent=n" i " func=f" i
		print "thread t0 name=tall\nhart 0"
		for (i = 1; i <= 1200; i++) print "srow n" i " t0 cycles=" (i < 1200 ? 500 : 400000) " instructions=1"
		print "end end=power-off"
	}'
}
draw() {
	"$bin/tr-text" --encode | "$bin/tr-fold" -o /dev/null --svg "$work/$1.svg" "${@:2}"
}
privileges | draw view
draw lost --tma < "$here/classes.txt"
big | draw big
tall | draw tall
printf '%s\n' 'main;f 1000' 'main;g 9000' 'main;h 500' 'main;k 300' > "$work/before"
printf '%s\n' 'main;f 2000' 'main;g 8500' 'main;i 5' 'main;k 300' > "$work/after"
"$bin/tr-diff" --svg "$work/change.svg" "$work/before" "$work/after" > "$work/changes" || [ $? = 1 ]
# Calls of 20 to 160 000 cycles.
calls() {
	printf 'header %s\n' content=stacks precision=cycles
	printf '%s\n' 'func f0 kind=program name=p' 'func f1 kind=function name=f' 'node n1 parent=n0 func=f0' \
		'node n2 parent=n1 func=f1' 'thread t0 name=p' 'hart 0'
	for ((i = 0; i < 400; i++)); do
		echo "srow n2 t0 cycles=$((20 + i * i)) instructions=1 fresh"
		echo 'srow n1 t0 cycles=1 instructions=1'
	done
	echo 'end end=power-off'
}
calls | "$bin/tr-text" --encode | "$bin/tr-report" histogram -o /dev/null --svg "$work/calls.svg" f
. "$here/../cli/tr-report-counters.inc"
csv > "$work/one.csv"
csv class.none=300 class.idle.wfi=325 > "$work/two.csv"
"$bin/../tests/tma-bars" -o "$work/bars.svg" "$work/one.csv" "$work/two.csv"
timeout 600 node "$here/view.js" "$work"/{view,lost,change,big,tall,calls,bars}.svg

# A stream of 400 frames, which arrives slowly.
growing() {
	awk 'BEGIN {
		print "header content=stacks\nheader precision=cycles\nframe 0"
		print "func f0 kind=program binary=demo name=demo\nfunc f1 kind=function binary=demo name=main"
		print "func f2 kind=function binary=k name=work\nfunc f3 kind=function binary=demo name=rest"
		print "node n1 parent=n0 func=f0\nnode n2 parent=n1 func=f1\nnode n3 parent=n2 func=f2"
		print "node n4 parent=n2 func=f3\nthread t0 tp=0x1 name=demo"
		for (i = 0; i < 400; i++) {
			if (i) print "frame " i
			print "hart 0 cycle=" i * 10000
			print "srow n2 t0 cycles=1000 instructions=500"
			print "srow n3 t0 cycles=" 5000 + i " instructions=2000"
			print "srow n4 t0 cycles=" 4000 - i " instructions=1000"
		}
		print "end end=power-off"
	}'
}
growing | "$bin/tr-text" --encode -u -o "$work/growing.tr"
timeout 300 node "$here/live.js" "$bin/tr-fold" "$work/growing.tr"

# The page of tr-explore: two processes, classes that change over time; many stacks.
parts() {
	awk 'BEGIN {
		print "header content=stacks\nheader classes=memory.dram,frontend.fetch"
		print "func f0 kind=program binary=demo name=demo\nfunc f1 kind=function binary=demo address=0x10 name=main"
		print "func f2 kind=function binary=k address=0x20 name=work\nfunc f3 kind=function binary=demo address=0x30 name=rest"
		print "node n1 parent=n0 func=f0\nnode n2 parent=n1 func=f1\nnode n3 parent=n2 func=f2"
		print "node n4 parent=n2 func=f3\nthread t0 tp=0x1 name=demo\nthread t1 tp=0x2 name=demo\nhart 0 cycle=0"
		for (i = 0; i < 1200; i++) {
			print "scontext priv=U process=" 1 + i % 5 % 2
			print "srow n2 t" i % 5 % 2 " cycles=100 instructions=100 fresh"
			print "srow n3 t" i % 5 % 2 " cycles=" 400 + i " instructions=200 classes=/" 1 + (i > 600) "*" 100 + i " fresh"
			if (i % 3) print "srow n4 t" i % 5 % 2 " cycles=500 instructions=400 classes=/1*80 fresh"
		}
		print "end end=power-off"
	}'
}
crowd() {
	awk 'BEGIN {
		print "header content=stacks\nfunc f0 kind=function binary=demo address=0x10 name=main\nnode n1 parent=n0 func=f0"
		for (i = 0; i < 600; i++) print "thread t" i " tp=0x" i + 1 " name=thread" i
		print "hart 0 cycle=900000"
		for (i = 0; i < 600; i++) print "scontext priv=U process=" i + 1 "\nsrow n1 t" i " cycles=" 1000 - i " instructions=10 fresh"
		print "end end=power-off"
	}'
}
mkdir "$work/explore" "$work/explore-big" "$work/explore-crowd"
crowd | "$bin/tr-text" --encode -o "$work/explore-crowd/stacks.tr"
parts | "$bin/tr-text" --encode -o "$work/explore/stacks.tr"
big | "$bin/tr-text" --encode -o "$work/explore-big/stacks.tr"
# The program of the test of tr-annotate, with counts by address; and 600 processes.
mkdir "$work/explore-code"
(
	cd "$work/annotate"
	"$bin/tr-unwind" -o "$work/explore-code/stacks.tr" run.tr
	"$bin/tr-annotate" --all --slices "$work/explore-code/annotate.slices" --stacks "$work/explore-code/stacks.tr" run.tr > messages
)
mkdir "$work/explore-marks"
awk -f "$here/../cli/data/explore-marks.awk" | "$bin/tr-text" --encode -o "$work/explore-marks/stacks.tr"
timeout 600 node "$here/explore.js" "$bin/tr-explore" "$work/explore" "$work/explore-big" "$work/growing.tr" "$work/explore-code" "$work/explore-crowd" "$work/explore-marks"
