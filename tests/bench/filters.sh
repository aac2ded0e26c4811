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

{ read -r t; read -r together; } < <(best %R \
	"$bin/tr-match --bins $target/bins.lst $out/noisy.tr | $bin/tr-unwind | $bin/tr-fold" \
	"$bin/tr-fold -@2 --bins $target/bins.lst $out/noisy.tr")
rate=$(mega "$n" "$t" 1)
figure pipeline_rate "$rate" Minstr/s min 100
figure one_process_rate "$(mega "$n" "$together" 1)" Minstr/s min 100
compare one_process_gain 1 2 min 1
t=$(runs=1; seconds "$tests/paper-loop $target/bins.lst $out/noisy.tr")
paper=$(mega "$n" "$t" 1)
figure paper_loop_rate "$paper" Minstr/s
figure pipeline_gain "$(ratio "$rate" "$paper" 1)" times

# Stacks of 10^12 instructions, whose frames repeat: all of them, and windows by the index.
"$tests/long-stacks" 953675 "$out/long.tr"
fold="$bin/tr-fold --from 1400G --to 1401G $out/long.tr"
best %U "$bin/tr-fold $out/long.tr" "$fold" "$bin/tr-timeline -o $out/long.perfetto --from 1400G --to 1400100M $out/long.tr" \
	"$bin/tr-fold --from 700G --to 1450G $out/long.tr" "$bin/tr-timeline --format svg --coarse --quiet -o $out/long.svg $out/long.tr" > "$out/least"
mapfile -t least < "$out/least"
figure long_fold_seconds "${least[0]}" s max 2
figure long_window_fold_seconds "${least[1]}" s max 0.5
figure long_window_timeline_seconds "${least[2]}" s max 0.5
figure long_half_fold_seconds "${least[3]}" s max 0.5
figure long_coarse_seconds "${least[4]}" s max 0.5
rm -f "$out/peak"
# shellcheck disable=SC2086 # words
"$tests/peak" "$out/peak" $fold > /dev/null
figure long_window_memory "$(awk '{ printf "%.1f", $2 / 1024 }' "$out/peak")" MiB max 32
rm "$out/long.tr" "$out/long.perfetto" "$out/long.svg" "$out/peak"

# Logs of addresses and cycles, as text of 39 bytes a line and binary: the CPU time of a
# conversion beside that of md5sum over the same bytes, some 650 MB/s. The aims are 10 M
# lines/s (450 MB/s with longer lines) and 50 M tokens/s.
"$bin/tr-capture" --max-instructions 4M "$out/plain.tr" | "$bin/tr-text" --tokens - | perl -ne '
	BEGIN { open $text, ">", shift; open $binary, ">", shift; binmode $binary;
		print $_ "# Clock Domain: tile, Relative Frequency: 1/1 of Base Clock\n" for $text, $binary }
	next unless /^token 0x(\w+) .* cycle=(\d+)/;
	printf $text "Cycle: %016d I0: %016x\n", $2, hex($1) & (1 << 40) - 1;
	print $binary pack("QQ", $2, hex($1) & (1 << 40) - 1 | 1 << 63)' "$out/text.log" "$out/binary.log"
for form in text binary; do
	best %U "$bin/tr-capture -u -o /dev/null $out/$form.log" "md5sum $out/$form.log" > "$out/best"
	read -r t < "$out/best"
	figure import_${form}_rate "$(ratio 4 "$t" 1)" Mtoken/s
	compare import_${form}_per_md5sum 1 2 max 1.4
done
rm "$out/text.log" "$out/binary.log"
