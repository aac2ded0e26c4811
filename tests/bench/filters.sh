# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The filters on a stored trace: size and speed, beside the papers' loop.

# The trace has at least 50 M instructions and 20,000 static blocks.
"$bin/soc-model" --trace "$out/plain.tr" "$target/firmware.elf" "$target/bench.elf" \
	< /dev/null > "$out/console"
"$tests/add-noise" 0 "$out/plain.tr" "$out/quiet.tr"
"$tests/add-noise" 1 "$out/plain.tr" "$out/noisy.tr"
n=$(info "$out/quiet.tr" instructions)
blocks=$(info "$out/quiet.tr" blocks)
figure trace_instructions "$n" instructions min 50000000
figure trace_static_blocks "$blocks" blocks min 20000
figure trace_bytes_per_instruction "$(ratio "$(stat -c %s "$out/quiet.tr")" "$n" 4)" B/instr max 0.06
figure trace_bytes_per_instruction_1pct_stalls "$(ratio "$(stat -c %s "$out/noisy.tr")" "$n" 4)" B/instr max 0.10

t=$(seconds "$bin/tr-match --bins $target/bins.lst $out/noisy.tr | $bin/tr-unwind | $bin/tr-fold")
rate=$(awk "BEGIN { printf \"%.1f\", $n / $t / 1e6 }")
figure pipeline_rate "$rate" Minstr/s min 100
t=$(runs=1; seconds "$tests/paper-loop $target/bins.lst $out/noisy.tr")
paper=$(awk "BEGIN { printf \"%.1f\", $n / $t / 1e6 }")
figure paper_loop_rate "$paper" Minstr/s
figure pipeline_gain "$(ratio "$rate" "$paper" 1)" times
