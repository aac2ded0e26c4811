# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Linux on the hardware (make linux first): the boot, the pipeline live behind it, and the
# start-up time of the filters with the kernel's 57 MB of ELF and DWARF; and the programs of
# the gallery (make gallery first).

linux=build/linux
# linux_run SIMULATOR SCENARIO [OPTION...]: a shell is told to exit.
linux_run() {
	echo "echo exit | $bin/$1 --ram 64M ${*:3} $target/firmware.elf $linux/vmlinux $linux/$2.elf"
}
captured() { # SCENARIO: into $out/linux.tr
	eval "echo exit | $bin/tr-capture -o $out/linux.tr -- $bin/soc-sim --ram 64M $target/firmware.elf \
		$linux/vmlinux $linux/$1.elf" > /dev/null 2>&1
}

captured busybox
"$bin/tr-capture" -@2 --archive -o "$out/linux.archive.tr" "$out/linux.tr"
figure archive_busybox_bytes_per_instruction "$(info "$out/linux.archive.tr" bytes/instruction)" B/instr max 0.032
rm "$out/linux.archive.tr"

captured shell
figure linux_boot_instructions "$(info "$out/linux.tr" instructions)" instructions
figure linux_boot_ipc "$(ratio "$(info "$out/linux.tr" instructions)" "$(info "$out/linux.tr" cycles)")" IPC
figure linux_boot_bytes_per_instruction "$(info "$out/linux.tr" bytes/instruction)" B/instr max 0.10
t=$(seconds "$(linux_run soc-sim shell)")
figure linux_boot_seconds "$t" s max 10
figure linux_boot_rate "$(mega "$(info "$out/linux.tr" cycles)" "$t")" Mcycles/s

# Boot and iperf3, with the whole pipeline live.
alone=$(linux_run soc-sim iperf3)
live="echo | $bin/tr-capture -u -- ${alone#*| } | $bin/tr-match --bins $linux/iperf3.lst | $bin/tr-unwind | $bin/tr-fold"
best %R "$alone" "$live" > "$out/least"
compare linux_live_pipeline_cost 2 1 max 1.3
captured iperf3
figure linux_iperf3_bytes_per_instruction "$(info "$out/linux.tr" bytes/instruction)" B/instr max 0.10
"$bin/tr-match" --bins "$linux/iperf3.lst" "$out/linux.tr" | "$bin/tr-unwind" -o "$out/linux.stacks.tr"
n=$(info "$out/linux.tr" instructions)
unknown=$(info "$out/linux.stacks.tr" unwind_unknown_instructions)
figure_from_zero linux_unknown_ppm "$(calculate %.1f 1e6 \* "$unknown" / "$n")" ppm max 100
figure_from_zero linux_unmatched_returns "$(info "$out/linux.stacks.tr" unwind_unmatched)" returns max "$(calculate %d "$n" / 100000)"

# The processor time of the filters on the gallery's programs, with their shared libraries,
# and on iperf3, which is static; without their start, which is that of a run of a thousand
# instructions.
gallery_runs=(build/gallery/*/run.tr)
for run in "${gallery_runs[@]}" "$out/linux.tr"; do
	name=${run%/run.tr}
	"$bin/tr-capture" --max-instructions 1k -o "$out/${name##*/}.start.tr" "$run" 2> /dev/null
done
pipe="$bin/tr-unwind | $bin/tr-fold"
of_iperf3() { echo "$bin/tr-match --bins $linux/iperf3.lst $1 | $pipe"; }
of_gallery() { # RUN...
	echo "for run in $*; do
	$bin/tr-match --bins build/linux-gc/system.lst --sysroot build/linux-gc/root \$run | $pipe; done"
}
starts=()
instructions=0
for run in "${gallery_runs[@]}"; do
	name=${run%/run.tr}
	starts+=("$out/${name##*/}.start.tr")
	instructions=$(calculate %.0f "$instructions" + "$(info "$run" instructions)")
done
best %U "$(of_iperf3 "$out/linux.tr")" "$(of_iperf3 "$out/linux.tr.start.tr")" \
	"$(of_gallery "${gallery_runs[@]}")" "$(of_gallery "${starts[@]}")" > "$out/least"
mapfile -t least < "$out/least"
iperf3_rate=$(mega "$n" "$(calculate %s "${least[0]}" - "${least[1]}")")
gallery_rate=$(mega "$instructions" "$(calculate %s "${least[2]}" - "${least[3]}")")
figure linux_iperf3_pipe "$iperf3_rate" Minstr/s
figure gallery_pipe "$gallery_rate" Minstr/s
figure gallery_pipe_to_iperf3 "$(ratio "$gallery_rate" "$iperf3_rate")" times min 1
rm -f "${starts[@]}"

# Only the first thousand instructions, so that start-up dominates. The shell that passes
# `exit` may find that the model has ended.
rm "$out/linux.tr"
eval "$(linux_run soc-model shell --max-instructions 1000 --trace "$out/linux.tr")" > /dev/null 2>&1 || true
begin="$bin/tr-match --bins $linux/shell.lst $out/linux.tr | $bin/tr-unwind"
export XDG_CACHE_HOME=$PWD/$out/cache
figure linux_start_first "$(seconds "rm -rf $XDG_CACHE_HOME; $begin")" s max 0.6
figure linux_start_cached "$(seconds "$begin")" s max 0.1
unset XDG_CACHE_HOME

# many_libraries FOLDER N: the cross compiler's shared libraries, in N versions with other
# code: the first bytes of the code are replaced.
many_libraries() {
	local libraries=(/usr/riscv64-linux-gnu/lib/*.so.*) made=0 library offset
	mkdir -p "$1"
	while ((made < $2)); do
		for library in "${libraries[@]}"; do
			[ -f "$library" ] && [ ! -L "$library" ] && ((made < $2)) || continue
			offset=$(riscv64-linux-gnu-readelf -SW "$library" | sed -n 's/.* \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\).*/\1/p')
			cp "$library" "$1/$made.so"
			printf '%08d' "$made" | dd of="$1/$made.so" bs=1 seek=$((16#$offset)) conv=notrunc status=none
			made=$((made + 1))
		done
	done
}
many_libraries "$out/sysroot" 1000
figure sysroot_bytes "$(du -sb "$out/sysroot" | cut -f1)" bytes
figure sysroot_start "$(seconds "$bin/tr-match --sysroot $out/sysroot $out/linux.tr")" s max 2
rm -r "$out/sysroot"
rm -f "$out"/linux*.tr "$out/least"
