#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints name, value, unit, limit, ok or short; exits 1 if a figure falls short.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
out=build/bench tsv=build/bench.tsv bin=build/bin target=build/target
runs=${RUNS:-3}
mkdir -p "$out"
: > "$tsv"
failed=0

# figure NAME VALUE UNIT [min|max LIMIT]
figure() {
	local name=$1 value=$2 unit=$3 sense=${4:-} limit=${5:--} verdict=ok
	case $sense in
	min) awk "BEGIN { exit !($value < $limit) }" && verdict=short ;;
	max) awk "BEGIN { exit !($value > $limit) }" && verdict=short ;;
	esac
	[ $verdict = ok ] || failed=1
	printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$value" "$unit" "$limit" "$verdict" |
		tee -a "$tsv"
}

# The wall seconds of a command line, the best of $runs.
seconds() {
	local best=
	for _ in $(seq "$runs"); do
		local t
		t=$( { TIMEFORMAT=%R; time bash -o pipefail -c "$1" > /dev/null 2>&1; } 2>&1 )
		best=$(awk "BEGIN { print (\"$best\" == \"\" || $t < \"$best\" + 0) ? $t : \"$best\" }")
	done
	echo "$best"
}

ratio() { awk "BEGIN { printf \"%.${3:-2}f\", $1 / $2 }"; }
info() { "$bin/tr-info" "$1" | awk -v key="$2" '$1 == key { print $2; exit }'; }

# The trace: 50 M instructions or more, 20,000 static blocks or more.
"$bin/soc-model" --trace "$out/plain.tr" "$target/firmware.elf" "$target/bench.elf" \
	< /dev/null > "$out/console"
"$bin/add-noise" 0 "$out/plain.tr" "$out/quiet.tr"
"$bin/add-noise" 1 "$out/plain.tr" "$out/noisy.tr"
n=$(info "$out/quiet.tr" instructions)
blocks=$(info "$out/quiet.tr" blocks)
figure trace_instructions "$n" instructions min 50000000
figure trace_static_blocks "$blocks" blocks min 20000
figure trace_bytes_per_instruction "$(ratio "$(stat -c %s "$out/quiet.tr")" "$n" 4)" B/instr max 0.06
figure trace_bytes_per_instruction_1pct_stalls "$(ratio "$(stat -c %s "$out/noisy.tr")" "$n" 4)" B/instr max 0.10

t=$(seconds "$bin/tr-match --bins $target/bins.lst $out/noisy.tr | $bin/tr-unwind | $bin/tr-fold")
rate=$(awk "BEGIN { printf \"%.1f\", $n / $t / 1e6 }")
figure pipeline_rate "$rate" Minstr/s min 100
t=$(runs=1; seconds "$bin/paper-loop $target/bins.lst $out/noisy.tr")
paper=$(awk "BEGIN { printf \"%.1f\", $n / $t / 1e6 }")
figure paper_loop_rate "$paper" Minstr/s
figure pipeline_gain "$(ratio "$rate" "$paper" 1)" times

# The model, with QEMU on the same image beside it.
images="$target/firmware.elf $target/integer.elf"
"$bin/soc-model" --trace "$out/model.tr" $images < /dev/null > /dev/null
n=$(info "$out/model.tr" instructions)
model=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "$bin/soc-model $images < /dev/null") / 1e6 }")
traced=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "$bin/soc-model --trace $out/model.tr $images < /dev/null") / 1e6 }")
qemu=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "qemu-system-riscv64 -M virt -m 128M -nographic -bios $target/firmware.elf -device loader,file=$target/integer.elf < /dev/null") / 1e6 }")
rm -f "$out/model.tr"
figure model_rate "$model" Minstr/s min 100
figure model_rate_traced "$traced" Minstr/s min 30
figure qemu_rate "$qemu" Minstr/s
figure model_against_qemu "$(ratio "$model" "$qemu")" times

# The hardware. CPU seconds of the process (user), the best of $runs.
cpu() {
	local best=
	for _ in $(seq "$runs"); do
		local t
		t=$( { TIMEFORMAT=%U; time bash -c "exec $1" > /dev/null 2>&1; } 2>&1 )
		best=$(awk "BEGIN { print (\"$best\" == \"\" || $t < \"$best\" + 0) ? $t : \"$best\" }")
	done
	echo "$best"
}
mega() { awk "BEGIN { printf \"%.2f\", $1 / $2 / 1e6 }"; }
limit=20000000
for run in integer demo; do
	sim="$bin/soc-sim --no-skip --max-cycles $limit $target/firmware.elf $target/$run.elf < /dev/null"
	$bin/soc-sim --max-cycles $limit --trace "$out/sim.tr" "$target/firmware.elf" "$target/$run.elf" \
		< /dev/null > /dev/null
	figure "sim_ipc_$run" "$(ratio "$(info "$out/sim.tr" instructions)" "$limit")" IPC min 0.55
	bare=$(cpu "$sim")
	traced=$(cpu "$bin/tr-capture -o $out/sim.tr -- $sim")
	figure "sim_rate_$run" "$(mega $limit "$bare")" Mcycles/s min 2.5
	figure "sim_rate_captured_$run" "$(mega $limit "$traced")" Mcycles/s min 2.5
	figure "sim_capture_cost_$run" "$(ratio "$(seconds "$bin/tr-capture -o $out/sim.tr -- $sim")" \
		"$(seconds "$sim")")" times max 1.10
	figure "sim_lockstep_cost_$run" "$(ratio "$(cpu "${sim/--no-skip/--no-skip --lockstep}")" "$bare")" times max 2
done
sim="$bin/soc-sim --max-cycles $limit $target/firmware.elf $target/demo.elf"
alone=$(seconds "$sim < /dev/null")
live=$(seconds "$bin/tr-capture -u -- $sim < /dev/null | $bin/tr-match --bins $target/bins.lst |
	$bin/tr-unwind | $bin/tr-fold")
figure sim_live_pipeline_cost "$(ratio "$live" "$alone")" times max 1.3
rm -f "$out/sim.tr"
exit $failed
