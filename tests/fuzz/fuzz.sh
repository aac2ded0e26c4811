#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes each reader for SECONDS: fuzz.sh SECONDS [TARGET...]
# Runs a target on a file that was found: fuzz.sh --on FILE
#
# The programs are in build/fuzz/bin, built with sanitizers and without checksums. Inputs
# that reach new code go to build/fuzz/corpus/TARGET, from which the next run starts, in
# addition to the seeds. A crash or a hang that also occurs outside the fuzzer is kept in
# build/fuzz/found/ and ends this script with status 1.
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
seconds=$1
shift
bin=$PWD/build/bin fuzzed=$PWD/build/fuzz/bin work=$PWD/build/fuzz
seeds=$work/seeds found=$work/found run=$work/run
most=300 # files of a corpus: the smallest are kept
hang=20 # seconds, outside the fuzzer

export AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export XDG_CACHE_HOME=$run/cache
export UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:print_stacktrace=1
sanitizer=abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2048

# --- targets: the seeds and the command of each, where @@ is the input

modes=implicit_return=1,branch_prediction=1,jump_target_cache=1,sijump=1,nocontext=0,context_width=32,return_stack_size=2,bpred_size=3,cache_size=3,f0s_width=1
targets='text encode info match match-bins match-elf match-map names debug btf cache unwind annotate fold fold-tma fold-pprof fold-callgrind fold-autofdo fold-speedscope fold-off-cpu fold-window window perf-script report report-assert report-tma timeline timeline-svg timeline-speedscope split diff diff-stacks diff-folded report-counters memory memory-lines explore slices checkpoint exec logs logs-limits tacit etrace etrace-modes replay replay-at replay-probes index archive extract extract-why stubs log log-csv config'
seeds_of() {
	case $1 in
	text | info) echo trace matched stacks accesses ;;
	stubs) echo stubs ;;
	config) echo config ;;
	log | log-csv) echo shared ;;
	encode) echo text ;;
	match | split | diff | replay | replay-at) echo trace ;;
	replay-probes) echo probes ;;
	match-bins) echo bins ;;
	match-elf) echo elf ;;
	match-map) echo maps ;;
	names) echo stripped ;;
	debug) echo debug ;;
	btf) echo btf ;;
	cache) echo cache ;;
	unwind | annotate) echo matched ;;
	report-counters) echo counters ;;
	memory | memory-lines) echo accesses ;;
	explore) echo explore ;;
	fold-window) echo windows ;;
	window) echo plain-windows ;;
	archive) echo trace ;;
	slices) echo slices ;;
	fold | fold-* | perf-script | report | report-assert | report-tma | timeline | timeline-* | diff-stacks) echo stacks ;;
	diff-folded) echo folded ;;
	checkpoint) echo checkpoint ;;
	index) echo index ;;
	exec) echo elf ;;
	logs | logs-limits) echo logs ;;
	extract | extract-why) echo elf stripped program ;;
	tacit) echo tacit ;;
	etrace | etrace-modes) echo etrace ;;
	*) return 1 ;;
	esac
}
command_of() {
	case $1 in
	text) echo tr-text --tokens -o /dev/null @@ ;;
	stubs) echo read-stubs @@ ;;
	config) echo read-config @@ ;;
	log) echo prof-log fuzzed.dat ;;
	log-csv) echo prof-log --csv --top 2 fuzzed.dat ;;
	encode) echo tr-text --encode -u -o /dev/null @@ ;;
	info) echo tr-info -b fixed.lst -o /dev/null @@ ;;
	match) echo tr-match -b fixed.lst -u -o /dev/null @@ ;;
	match-bins) echo tr-match -b @@ -u -o /dev/null fixed.tr ;;
	names) echo read-names @@ ;;
	debug) echo read-names stripped.elf @@ ;;
	btf) echo read-btf @@ ;;
	match-elf) echo tr-match -b fuzzed.lst -u -o /dev/null fixed.tr ;;
	match-map) echo tr-match -b fixed.lst --perf-map @@ -u -o /dev/null fixed.tr ;;
	cache) echo read-cache fixed.elf @@ ;;
	unwind) echo tr-unwind --addresses -u -o /dev/null @@ ;;
	annotate) echo tr-annotate --all --html /dev/null @@ ;;
	fold) echo tr-fold -o /dev/null --svg /dev/null @@ ;;
	fold-tma) echo tr-fold -o /dev/null --tma --svg /dev/null @@ ;;
	fold-window) echo tr-fold --from 2000 --to 2100 -o /dev/null --svg /dev/null @@ ;;
	window) echo read-window @@ ;;
	archive) echo tr-capture --archive --no-provenance -o archive.tr @@ ;;
	fold-off-cpu) echo tr-fold --off-cpu --by thread -o /dev/null --svg /dev/null @@ ;;
	perf-script) echo tr-text --perf-script -o /dev/null @@ ;;
	fold-*) echo tr-fold --format "${1#fold-}" -o /dev/null @@ ;;
	report-counters) echo tr-report counters --level 2 -o /dev/null @@ ;;
	memory) echo tr-report memory --by member -o /dev/null @@ ;;
	memory-lines) echo tr-report memory --by line -o /dev/null @@ ;;
	explore) echo read-explore @@ ;;
	slices) echo read-slices @@ ;;
	report) echo tr-report functions -o /dev/null @@ ;;
	report-assert) echo tr-report functions --assert main.max\<20k -o /dev/null @@ ;;
	report-tma) echo tr-report tma -o /dev/null @@ ;;
	timeline) echo tr-timeline --min-cycles 0 --max-depth 0 -o /dev/null @@ ;;
	timeline-svg) echo tr-timeline --format svg -o /dev/null @@ ;;
	timeline-*) echo tr-timeline --format "${1#timeline-}" --by thread --min-cycles 0 -o /dev/null @@ ;;
	split) echo tr-split-by-satp --priv s,u -u -o /dev/null @@ ;;
	diff) echo tr-diff -o /dev/null @@ fixed.tr ;;
	diff-stacks) echo tr-diff -o /dev/null --tma @@ fixed-stacks.tr ;;
	diff-folded) echo tr-diff -o /dev/null --svg /dev/null @@ fixed.txt ;;
	replay) echo tr-replay -o /dev/null @@ fixed.elf ;;
	replay-at) echo tr-replay --at 200 --print "reg(\"a0\")" --print work -o /dev/null @@ fixed.elf ;;
	replay-probes) echo tr-replay --probes @@ -o /dev/null program.tr program.elf ;;
	index) echo tr-replay -o /dev/null --index @@ --at 200 frames.tr fixed.elf ;;
	checkpoint) echo read-checkpoint @@ ;;
	exec) echo read-exec @@ ;;
	extract) echo prof-extract -o extracted @@ ;;
	extract-why) echo prof-extract --why @@ ;;
	logs) echo tr-capture --skip-bad 1000 -u -o /dev/null @@ ;;
	logs-limits) echo tr-capture --skip-bad 1000 --max-instructions 20 --max-cycles 1000 -u -o /dev/null @@ ;;
	tacit) echo tr-capture --from tacit -b fixed.lst --skip-bad 1000 -u -o /dev/null @@ ;;
	etrace) echo tr-capture --from etrace -b fixed.lst --skip-bad 1000 -u -o /dev/null @@ ;;
	etrace-modes) echo tr-capture --from etrace -b fixed.lst --encoder "$modes" --skip-bad 1000 -u -o /dev/null @@ ;;
	esac
}

# Replaces the shell by the command of target $1 on file $2, with an empty cache.
become() {
	local words=() word
	for word in $(command_of "$1"); do
		[ "$word" = @@ ] && words+=("$2") || words+=("$word")
	done
	[ "$1" != match-elf ] || cp "$2" "$run/fuzzed.elf"
	[[ $1 != log && $1 != log-csv ]] || cp "$2" "$run/fuzzed.dat"
	cd "$run"
	rm -rf "$XDG_CACHE_HOME"
	ASAN_OPTIONS=$sanitizer exec timeout "$hang" "$fuzzed/${words[0]}" "${words[@]:1}"
}

if [ "$seconds" = --on ]; then
	name=${1##*/}
	become "${name%-*}" "$PWD/$1"
fi

# --- seeds, made by the ordinary programs

rm -rf "$seeds" "$run"
mkdir -p "$seeds"/{trace,matched,stacks,text,bins,elf,stripped,debug,btf,folded,cache,counters,checkpoint,index,logs,tacit,etrace,probes,program,accesses,explore,slices} "$run" "$found"
elf=$run/fixed.elf
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -O1 -g -nostdlib -Wl,--build-id=sha1 \
	-Wl,-z,max-page-size=4096 -T sim/target/firmware/firmware.ld -o "$elf" tests/fuzz/seed.c
echo 'fixed.elf firmware' > "$run/fixed.lst"
echo 'fuzzed.elf firmware' > "$run/fuzzed.lst"

encode_text() { "$bin/tr-text" --encode --no-provenance "$@"; }
model() { "$bin/soc-model" --no-provenance "$@" < /dev/null 2> /dev/null; }

model --max-instructions 300 --trace "$run/short.tr" "$elf" || true
# An index of one place, and one with several, of a trace with short frames.
"$bin/tr-text" "$run/short.tr" | awk -v FRAMES=20 -f tests/replay/frames.awk | encode_text -o "$run/frames.tr"
"$bin/tr-replay" --index "$seeds/index/one.ix" "$run/frames.tr" "$elf" > "$run/replay.txt"
"$bin/../tests/places" -o "$seeds/index/several.ix" 30 "$run/frames.tr" "$elf" > "$run/replay.txt"
model --start pc=leave --stop pc=work --max-instructions 600 --trace "$run/gaps.tr" "$elf" || true
for isa in rv64imac rv64gc; do
	model --isa $isa --ram 1M --max-instructions 300 --checkpoint "$seeds/checkpoint/$isa.ck" "$elf" || true
done
model --harts 2 --ram 1M --max-instructions 300 --checkpoint "$seeds/checkpoint/harts.ck" "$elf" || true
model --ram 1M --max-instructions 300 --checkpoint-warm --checkpoint "$seeds/checkpoint/warm.ck" "$elf" || true
# One while the disk has its first request, and one with pages of it that were written.
seq -f %07.0f 0 8191 > "$run/disk.img"
for at in 300 110000; do
	model --disk "$run/disk.img" --ram 1M --checkpoint-at cycle=$at --checkpoint "$seeds/checkpoint/disk-$at.ck" build/isa/disk-requests.elf || true
done
for stream in short gaps; do
	"$bin/tr-text" "$run/$stream.tr" > "$seeds/text/$stream.txt"
done
cp tests/cli/data/*.txt "$seeds/text"
cp tests/cli/data/logs/*.{log,dasm} "$seeds/logs"
for mode in '' '1 sync' 'old pause'; do
	"$bin/tr-text" --tokens "$run/short.tr" |
		perl tests/cli/data/logs/tacit.pl $mode > "$seeds/tacit/${mode:-plain}.tacit"
done
for mode in '' 'full_address=1 notify=3 resync=5' "${modes//,/ }" 'records=1 iaddress_lsb=0'; do
	"$bin/tr-text" --tokens "$run/short.tr" |
		perl tests/cli/data/logs/etrace.pl $mode > "$seeds/etrace/modes-${mode%%=*}.etrace"
done
(
	cd "$run"
	for text in "$seeds"/text/*.txt; do
		name=$(basename "$text" .txt)
		encode_text "$text" -u -o "$name.tr" || continue
		if grep -q '^header content=rows' "$text"; then
			cp "$name.tr" "$seeds/trace"
			"$bin/tr-match" --no-provenance -u -b fixed.lst -o "$seeds/matched/$name.tr" "$name.tr" 2> match.txt || continue
			timeout "$hang" "$bin/tr-unwind" --addresses --no-provenance -u -o "$seeds/stacks/$name.tr" "$seeds/matched/$name.tr" 2> unwind.txt || continue
		else
			cp "$name.tr" "$seeds/stacks"
		fi
	done
	encode_text "$seeds/text/short.txt" -o "$seeds/trace/zstd.tr"
	mkdir -p "$seeds"/{windows,plain-windows}
	# Frames and rows of each; those of 520 frames have sums.
	for shape in '40 1' '40 3' '520 3'; do
		awk -v FRAMES="${shape% *}" -v ROWS="${shape#* }" 'BEGIN {
			print "header content=stacks\nfunc f0 kind=program name=p\nthread t0 name=p\nhart 0 cycle=7"
			for (i = 1; i <= FRAMES; i++) {
				if (i > 1) print "frame"
				if (i <= 40) print "node n" i " parent=n" int(i / 2) " func=f0"
				for (row = 0; row < ROWS; row++)
					print "scontext priv=U process=1\nsrow n" (i > 40 ? 1 + row : i) " t0 cycles=100 instructions=50"
			}
			print "end end=power-off"
		}' > windows.txt
		encode_text windows.txt -o "$seeds/windows/${shape/ /-}.tr"
		LD_PRELOAD=$work/plain-zstd.so encode_text windows.txt -o "$seeds/plain-windows/${shape/ /-}.tr"
	done
	"$bin/tr-capture" --no-provenance --archive -o "$seeds/trace/archive.tr" frames.tr
	for stream in "$seeds"/stacks/*.tr; do
		"$bin/tr-fold" -o "$seeds/folded/$(basename "$stream" .tr).txt" "$stream" 2> fold.txt || true
	done
	for stream in short gaps frames; do
		"$bin/tr-replay" --stream --accesses -o addresses.tr "$stream.tr" fixed.elf
		"$bin/tr-match" --no-provenance -u -b fixed.lst -o "$seeds/accesses/$stream.tr" addresses.tr 2> match.txt
	done
	# A run with classes of lost cycles, and one of two harts that commit two in a cycle.
	PATH=$bin:$PATH
	# shellcheck source=tests/cli/tr-annotate.inc
	. "$OLDPWD/tests/cli/tr-annotate.inc"
	{
		sed '/^end/d; s/^header classes.*/&\nheader commit_width=2/; s/^row sum .*/row sum stall 1:10\/4*19 2:0/' run.txt
		printf '%s\n' 'hart 1 priv=U satp=0x8000000000000001 space=1' 'row start' 'row sum stall 1:5/4*4' 'row return' 'end end=power-off'
	} | encode_text -o wide.tr
	for name in run wide; do
		cp "$name.tr" "$seeds/matched/$name.tr"
		"$bin/tr-unwind" --no-provenance -u -o "$seeds/stacks/$name.tr" "$name.tr"
	done
	# In these two nothing is compressed.
	mkdir -p profile
	for stream in "$seeds"/stacks/*.tr; do
		name=$(basename "$stream" .tr)
		cp "$stream" profile/stacks.tr
		LD_PRELOAD=$work/plain-zstd.so "$bin/tr-explore" --query /run profile > explore.txt 2>&1 || continue
		mv profile/explore.sqlite "$seeds/explore/$name.sqlite"
	done
	for stream in "$seeds"/matched/*.tr; do
		name=$(basename "$stream" .tr)
		for how in '' "--stacks $seeds/stacks/$name.tr"; do
			to=$seeds/slices/$name${how:+-stacks}
			# shellcheck disable=SC2086 # two words
			LD_PRELOAD=$work/plain-zstd.so "$bin/tr-annotate" --all --slices "$to" $how "$stream" > annotate.txt 2>&1 || rm -f "$to"
		done
	done
	cp short.tr fixed.tr
	cp "$seeds/stacks/short.tr" fixed-stacks.tr
	cp "$seeds/folded/short.txt" fixed.txt
	"$bin/tr-unwind" --addresses --inline --lines -o /dev/null "$seeds/matched/short.tr"
	cp "$XDG_CACHE_HOME"/tr-profiler/* "$seeds/cache"
)
"$bin/prof-extract" -o "$run/prof" "$elf"
mkdir "$seeds/config"
printf 'folder = /tmp\nmode = global # logs\ncalls = no\n' > "$seeds/config/short"
printf 'folder = /tmp\nspan = 60 s\nsnapshot-period = 20 ms\nsampling-period = 5000 us\nrate = 2 kHz\njitter = yes\n' > "$seeds/config/long"
mkdir "$seeds/stubs"
cp "$run/prof$(realpath "$elf")"/*.{bin,dat} "$seeds/stubs"
mkdir "$seeds/shared"
cp "$seeds/stubs/shmem.dat" "$seeds/shared"
printf '%s\n' '5 main' '6 other' | build/tests/make-counts /usr/bin/it > "$seeds/shared/process.dat"
printf '%s\n' '5 main' '6 other' | build/tests/make-counts -g > "$seeds/shared/global.dat"
for file in process global; do
	printf '%s\n' 'span 1 1000 0 1 3 3 0' '1 1' 'span 2 1000 3000 10 30 30 1' '1 1' '2 2' |
		build/tests/make-log "$seeds/shared/$file.dat"
done
cp "$elf" "$seeds/elf/fixed.elf"
riscv64-unknown-elf-strip -g -o "$seeds/elf/symbols.elf" "$elf"
# Without DWARF, which a child process reads.
cp "$seeds/elf/symbols.elf" "$seeds/stripped"
riscv64-linux-gnu-gcc -O1 -nostdlib -shared -fPIC -s -o "$seeds/stripped/library.so" \
	tests/image/dynamic.cc
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -O1 -nostdlib -fasynchronous-unwind-tables -Wl,--build-id=sha1 \
	-Wl,-z,max-page-size=4096 -T sim/target/firmware/firmware.ld -o "$run/tables.elf" tests/fuzz/seed.c
riscv64-unknown-elf-strip -o "$run/stripped.elf" "$run/tables.elf"
cp "$run/stripped.elf" "$seeds/stripped"
riscv64-unknown-elf-objcopy --only-keep-debug "$run/tables.elf" "$seeds/debug/tables.debug"
# All probes of a program, and each alone.
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
	-T sim/target/firmware/firmware.ld -o "$run/program.elf" tests/probe/program.c -lgcc
# Without libgcc, whose types pahole refuses.
riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
	-T sim/target/firmware/firmware.ld -o "$run/btf.elf" tests/probe/program.c
pahole -J "$run/btf.elf"
riscv64-unknown-elf-objcopy --dump-section .BTF="$seeds/btf/program" "$run/btf.elf"
model --max-instructions 3000 --trace "$run/program.tr" "$run/program.elf" || true
cp tests/probe/program.probes "$seeds/probes"
awk -v to="$seeds/probes/" '/^[a-z]/ { n++ } n { print > (to n) }' tests/probe/program.probes
# A position-independent program with exceptions.
riscv64-linux-gnu-gcc -O1 -s -o "$seeds/program/movable.elf" sim/target/linux/gallery/cxx.cc -lstdc++ -lm
printf 'fixed.elf firmware\n' > "$seeds/bins/one"
printf '# a comment\n\n  fixed.elf\tkernel base=0x80000000\nfixed.elf user base=0xffffffff80000000\n' > "$seeds/bins/more"
mkdir "$seeds/maps"
printf '%s\n' '80000000 40 first' '80000010 20 second' '0x10074 0x20 a name' > "$seeds/maps/perf.map"
{
	printf 'DTiJ\1\0\0\0\50\0\0\0\363\0\0\0\0\0\0\0\7\0\0\0%16s' '' | tr ' ' '\0'
	printf '\2\0\0\0\64\0\0\0%8s\164\0\1%5s\1%7s\164\0\1%5s\12%7ss.x%1s' '' '' '' '' '' '' | tr ' ' '\0'
	printf '%4s\102\0\0\0%16s\164\0\1%5s\164\0\1%5s\10%7s%8sf%1s\101\21\6\344\227\0\0\0' '' '' '' '' '' '' '' | tr ' ' '\0'
	printf '\1\0\0\0\100\0\0\0%24s\164\0\1%5s\164\20\1%5s\10%7s%8s' '' '' '' '' '' | tr ' ' '\0'
} > "$seeds/maps/jit.dump"
# shellcheck source=tests/cli/tr-report-counters.inc
. tests/cli/tr-report-counters.inc
csv flush=0 > "$seeds/counters/classes.csv"
csv flush=0 | sed '/^label/s/,class\./,klass./g' > "$seeds/counters/table1.csv"

# Keeps file $2 of target $1 if it is a real crash or hang; otherwise fails.
keep() {
	local status=0 name
	{ (become "$1" "$2") < /dev/null > "$run/output.txt" 2>&1; } 2> /dev/null || status=$?
	[ "$status" -ge 124 ] || return
	name=$found/$1-$(sha1sum < "$2" | cut -c1-12)
	cp "$2" "$name"
	echo "fuzz: $1: ${name#"$PWD"/}: status $status: $(grep -m1 -E 'SUMMARY|runtime error|ERROR' "$run/output.txt" || tail -n 1 "$run/output.txt")"
	echo "fuzz: to see it: tests/fuzz/fuzz.sh --on ${name#"$PWD"/}"
	failed=1
}

fuzz() {
	local words in=$work/in/$1 out=$work/out/$1 corpus=$work/corpus/$1 kind extra=() file count
	rm -rf "$in" "$out"
	mkdir -p "$in" "$work/out" "$corpus"
	for kind in $(seeds_of "$1"); do cp "$seeds/$kind"/* "$in"; done
	cp -n "$corpus"/* "$in" 2> /dev/null || true
	for file in "$in"/*; do
		! keep "$1" "$file" || rm "$file"
	done
	read -ra words < <(command_of "$1")
	[ "$1" != match-elf ] || extra=(-f "$run/fuzzed.elf")
	# AFL++ locks its own folder, and prof-log waits for the lock of the file's.
	[[ $1 != log && $1 != log-csv ]] || extra=(-f "$run/fuzzed.dat")
	(
		cd "$run"
		ASAN_OPTIONS=$sanitizer:symbolize=0 afl-fuzz -V "$seconds" -m none -t 5000+ \
			"${extra[@]}" -i "$in" -o "$out" -- "$fuzzed/${words[0]}" "${words[@]:1}"
	) > "$work/out/$1.log" 2>&1 || { tail -n 5 "$work/out/$1.log"; echo "fuzz: $1: afl-fuzz failed"; exit 2; }
	for file in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
		[ ! -e "$file" ] || keep "$1" "$file" || true
	done
	for file in "$out"/default/queue/id*+cov; do
		[ ! -e "$file" ] || cp "$file" "$corpus/$(sha1sum < "$file" | cut -c1-16)"
	done
	# shellcheck disable=SC2012 # the names are our own
	(cd "$corpus" && ls -Sr | tail -n +$((most + 1)) | xargs -r rm)
	count=$(sed -n 's/^execs_done *: //p' "$out/default/fuzzer_stats")
	echo "fuzz: $1: $count runs, corpus of $(find "$corpus" -type f | wc -l) files"
}

failed=0
for target in ${*:-$targets}; do
	seeds_of "$target" > /dev/null || { echo "fuzz: no target $target" >&2; exit 2; }
	fuzz "$target"
done
exit $failed
