#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sink on the small core: run.sh BIN SMALL, the folders of the filters and of the
# core, with that of RV64 programs in TARGET. Prints a line for each failure, then a summary.
# UPDATE=1 rewrites the golden wide.tma.
set -u -o pipefail
SRC=$(cd "$(dirname "$0")/../.." && pwd)
BIN=$(cd "$1" && pwd) SMALL=$(cd "$2" && pwd) TARGET=$(cd "$TARGET" && pwd)
export PATH=$BIN:$PATH LC_ALL=C
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
passed=0 failed=0

check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@" > output 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "trace-core: $name failed"
		head -n 20 output
	fi
}

sim=$SMALL/sim program=+program=$SMALL/example.hex
# shellcheck disable=SC2054 # an option of QEMU
qemu=(qemu-system-riscv32 -M virt -cpu rv32,pmp=false -m 16M -bios none -nographic -monitor none)

profile() { tr-match --bins "$SMALL/example.elf" | tr-unwind | tr-fold "$@"; }

golden() {
	tr-capture -- "$sim" "$program" | profile > example.folded &&
		diff "$SRC/golden/trace-core/example.folded" example.folded
}

counts() { # the same program on QEMU, counted without a filter
	"$sim" "$program" +tr_file=run.tr && profile --unit instructions < run.tr > run.folded &&
		timeout 60 "${qemu[@]}" -kernel "$SMALL/example.elf" -singlestep -d exec,nochain,int \
			-D qemu.log < /dev/null &&
		riscv64-unknown-elf-nm -n "$SMALL/example.elf" > names &&
		awk -f "$SRC/tests/trace-core/functions.awk" names folded=1 run.folded > ours &&
		awk -f "$SRC/tests/trace-core/functions.awk" names qemu.log > theirs &&
		[ "$(wc -l < ours)" -gt 10 ] && diff ours theirs
}

tokens() { tr-text --tokens "$1" | grep '^token' | grep 'hart=0' | cut -d ' ' -f -6; }

# Two harts in one stream: the first has the same tokens in the same cycles as alone, and a
# log of the testbench counts the same. The machines have memories of their own, so their
# stacks are at the same addresses, which tr-unwind takes for the same stacks.
harts() {
	"$SMALL/harts" "$program" +tr_file=harts.tr +rvfi_log=log && "$sim" "$program" +tr_file=run.tr &&
		tokens run.tr > alone && tokens harts.tr > first && [ "$(wc -l < first)" -gt 80000 ] &&
		cmp alone first &&
		riscv64-unknown-elf-nm -n "$SMALL/example.elf" > names &&
		for hart in 0 1; do
			profile --by hart --unit instructions < harts.tr | sed -n "s/^hart $hart;//p" > one.folded &&
				awk -f "$SRC/tests/trace-core/functions.awk" names folded=1 one.folded > ours &&
				awk -f "$SRC/tests/trace-core/functions.awk" names rvfi=1 "log$hart" > theirs &&
				[ "$(wc -l < ours)" -gt 5 ] && diff ours theirs || return 1
		done
}

plain() { # without times
	tr-text --tokens "$1" | grep -v '^header\|^frame\|^end\|^gap\|^csr-read\|^mmio-load\|^atomic\|^device-write\|^registers' |
		sed 's/ cycles=[^ ]*//; s/ cycle=[0-9]*//; s/ tval=[^ ]*//; /^reg x2 0x0$/d'
}

# A trace of the RV64 model, as commits, up to four in a cycle: the same tokens and events.
replay() {
	soc-model --max-instructions 100k --trace model.tr "$TARGET/firmware.elf" "$TARGET/hello.elf" \
		< /dev/null > model.txt && tr-text --tokens model.tr |
		awk -f "$SRC/tests/trace-core/replay.awk" > commits &&
		"$SMALL/replay" +commits=commits +tr_file=replay.tr > replay.log &&
		plain model.tr > model.txt && plain replay.tr > replay.txt &&
		[ "$(wc -l < replay.txt)" -gt 100000 ] && diff model.txt replay.txt
}

# Slots of a stream: retired instructions, and those lost to class 0, 1, ... NAMES.
slots() { # NAMES
	tr-text --tokens - | awk -v names="$1" '
		/^header commit_width=/ { sub(/.*=/, ""); width = $1 }
		/^token/ { retired++ }
		/^(token|trap)/ && match($0, / cycles=[^ ]*/) {
			n = split(substr($0, RSTART + 8, RLENGTH - 8), part, /[\/*]/)
			all += part[1]
			for (i = 2; i < n; i += 2) lost[part[i]] += part[i + 1]
		}
		END {
			rest = width * all - retired
			for (i = 1; i <= names; i++) rest -= lost[i]
			printf "slots %d %d", retired, rest
			for (i = 1; i <= names; i++) printf " %d", lost[i]
			print ""
		}'
}

# Four commits in a cycle: the testbench has counted the same, and so has the small core,
# which tells a reason for each slot.
lost_slots() {
	"$SMALL/replay" +commits=commits +tr_file=unknown.tr +unknown > unknown.log && slots 3 < unknown.tr > theirs &&
		grep '^slots' unknown.log | diff theirs - &&
		slots 3 < replay.tr > ours && grep '^slots' replay.log | diff ours - && ! cmp -s ours theirs &&
		"$sim" "$program" +tr_file=run.tr && slots 5 < run.tr > ours &&
		grep -Eq '^slots [1-9][0-9]+ 0 [1-9][0-9]+ [1-9][0-9]+ [1-9][0-9]+ [1-9][0-9]+ 0$' ours
}

# Counters of the small core, and what it tells of its commits: each load instruction has its
# load, and there are as many as it counts; each access loses the slot in which memory waits; and
# the instructions that came in two halves are those of 4 bytes that cross a word.
marks() {
	"$sim" "$program" +tr_file=run.tr && tr-text --tokens run.tr > run.txt &&
		awk '$1 == "counters" { split($0, last, /[=| ]+/); if (!n++) split($0, first, /[=| ]+/) }
			$1 == "probe" && $2 == 1 { load = $4 ~ /^address=0x(80|10)/ && $5 == "cycles=2" ? 1 : 2; loads++; next }
			$1 == "probe" { split_insn = 1; next }
			match($0, /\/4\*[0-9]+/) { waits += substr($0, RSTART + 3, RLENGTH - 3) }
			$1 == "token" {
				if (load != ($3 ~ /^[45]..[02468ace]$|^......[08]3$/)) wrong++
				if (split_insn != ($2 ~ /[26ae]$/ && length($3) == 8)) wrong++
				splits += split_insn
				load = split_insn = 0
			}
			END {
				print wrong + 0, loads - (last[8] - first[8]), waits - loads - (last[10] - first[10])
				exit splits < 10 || loads < 10000
			}' run.txt > told && [ "$(cat told)" = "0 0 0" ] &&
		tr-info run.tr | grep -Eqx "loads +$(grep -c '^probe 1 ' run.txt) +-"
}

# Without pc_wdata the stacks are the same, also those that interrupts come to.
blind() {
	printf "$TARGET/%s\n" 'firmware.elf firmware' 'hello.elf kernel' > bins.lst
	awk '{ $2 = 0; print }' commits > commits.blind &&
		"$SMALL/replay" +commits=commits.blind +tr_file=blind.tr &&
		for trace in replay blind; do
			tr-match --bins bins.lst $trace.tr | tr-unwind | tr-fold > $trace.folded || return 1
		done
	[ "$(grep -c 'interrupt\]' blind.folded)" -gt 3 ] && diff replay.folded blind.folded
}

# The slots of functions, of four commits in a cycle
wide() {
	tr-match --bins bins.lst replay.tr | tr-unwind | tr-report tma > wide.tma &&
		{ [ -z "${UPDATE-}" ] || cp wide.tma "$SRC/golden/trace-core/"; } && diff "$SRC/golden/trace-core/wide.tma" wide.tma
}

# Cores with a return from traps of their own: it returns to where the newest one came from,
# which only the first entries of the kernel and of the program do not.
custom_return() {
	sed -E 's/ (30200073|10200073) / 0000000b /' commits > custom &&
		"$SMALL/replay" +commits=custom +tr_file=custom.tr &&
		for trace in model custom; do
			tr-text --tokens $trace.tr | sed -nE '/^(trap|xret|priv) /{s/ (cycles|tval)=.*//; p}' > $trace.events
		done
	diff model.events custom.events > differences
	[ "$(grep -c '^xret' model.events)" -gt 100 ] && [ "$(grep '^>' differences)" = $'> priv S\n> priv U' ]
}

# A sink that is connected to nothing says so.
silent() {
	: > none
	"$SMALL/replay" +commits=none +tr_file=none.tr 2> message &&
		grep -Eqx 'trace_sink: no commit in [12] cycles: valid_i was never 1; does RVFI need a macro or a parameter\?' message
	[ $? = 0 ] && ! tr-info none.tr > info && grep -q 'nothing was captured' info
}

# The core's trace as packets of E-Trace, and back: the same instructions.
packets() {
	local modes
	"$sim" "$program" +tr_file=run.tr && tr-text --tokens run.tr > run.txt &&
		awk '$1 == "token" { print $2, $3 }' run.txt > ours && [ "$(wc -l < ours)" -gt 10000 ] || return 1
	for modes in iaddress_width=32 iaddress_width=32,return_stack_size=3,implicit_return=1,cache_size=4,jump_target_cache=1; do
		perl "$SRC/tests/cli/data/logs/etrace.pl" ${modes//,/ } < run.txt > run.etrace &&
			tr-capture --from etrace --bins "$SMALL/example.elf" --encoder $modes run.etrace |
			tr-text --tokens - | awk '$1 == "token" { print $2, $3 }' | diff - ours || return 1
	done
}

# A failed assertion, and a call of exit, leave complete streams.
aborted() {
	"$SMALL/replay" +commits=commits +tr_file=aborted.tr +abort=1000
	[ $? = 134 ] && tr-info aborted.tr > info && grep -q 'end  *aborted' info
}
exited() {
	"$SMALL/replay" +commits=commits +tr_file=exited.tr +exit=1000
	[ $? = 3 ] && tr-info exited.tr > info && grep -q 'end  *exit' info
}

# The same output on the core and on QEMU.
same() { # SOURCE
	riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib -static -Wl,--no-relax \
		-Wl,--no-warn-rwx-segments -T "$SRC/rtl/trace/example/small.ld" -o program.elf \
		"$SRC/tests/trace-core/lib.S" "$1" &&
		riscv64-unknown-elf-objcopy -O binary program.elf program.bin &&
		od -An -v -tx4 -w4 program.bin > program.hex &&
		timeout 60 "$sim" +program=program.hex +max_cycles=3000000 | grep -v 'finish$' > core.txt &&
		timeout 60 "${qemu[@]}" -kernel program.elf < /dev/null > qemu.txt &&
		[ "$(wc -l < core.txt)" -ge 33 ] && diff core.txt qemu.txt
}

random() { # SEED
	awk -v seed="$1" -v count=800 -f "$SRC/tests/trace-core/random.awk" > random.S && same random.S
}

fails() { # one line, and exit status 2
	local status=0
	"$@" > out 2> message || status=$?
	[ $status = 2 ] && [ "$(wc -l < message)" = 1 ] && grep -q '^trace_sink: ' message
}
full_disk() { fails "$sim" "$program" +tr_file=/dev/full; }
no_folder() { fails "$sim" "$program" +tr_file=missing/run.tr; }
bad_trigger() { fails "$sim" "$program" +tr_file=run.tr +tr_start=5; }
bad_class() { fails "$SMALL/replay" +commits=commits +tr_file=bad.tr +bad_class; }
closed_pipe() {
	mkfifo pipe
	head -c 100 pipe > /dev/null &
	fails "$sim" "$program" +tr_file=pipe
}

# The core runs forever; the stream is complete all the same.
interrupted() {
	printf '0000006f\n' > loop.hex
	"$sim" +program=loop.hex +tr_file=loop.tr &
	local pid=$!
	for _ in $(seq 100); do [ -s loop.tr ] && break; sleep 0.1; done
	kill -TERM $pid
	wait $pid
	[ $? = 143 ] && tr-info loop.tr > info && grep -q 'end  *interrupted' info
}

window() {
	"$sim" "$program" +tr_file=window.tr +tr_start=cycle=1000 +tr_stop=cycle=2000 +tr_finish &&
		tr-info window.tr > info && grep -q 'end  *trigger' info &&
		grep -Eq '^ *cycles  *(99[0-9]|1000)$' info
}

check golden golden
check counts counts
check harts harts
check packets packets
for name in replay lost_slots marks blind wide custom_return silent aborted exited; do check $name $name; done
check traps same "$SRC/tests/trace-core/traps.S"
for seed in 1 2 3 4 5; do check "random $seed" random $seed; done
for name in full_disk no_folder bad_trigger bad_class closed_pipe interrupted window; do check $name $name; done
echo "trace-core: $passed passed, $failed failed"
[ $failed = 0 ]
