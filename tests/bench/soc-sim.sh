# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The hardware in Verilator: rate, IPC, and the cost of tracing and counters. Every cycle
# is evaluated (--no-skip); seconds are CPU time unless wall time is stated.

figure host_clock "$(mega "$("$tests/host-clock")" 1 0)" MHz
limit=5000000

# The build without the trace port must also detect the end of a program.
timeout 60 build/no-port/bin/soc-sim "$target/firmware.elf" "$target/hello.elf" < /dev/null > "$out/console" ||
	{ echo "bench: soc-sim without the trace port does not end: status $?" >&2; exit 1; }

sim() { # PROGRAM [OPTION...]
	echo "$bin/soc-sim --max-cycles $limit $target/firmware.elf $target/$1.elf ${*:2} < /dev/null"
}

for run in integer demo; do
	limit=20000000
	eval "$(sim $run --trace "$out/$run.tr")" > /dev/null
	figure "sim_ipc_$run" "$(ratio "$(info "$out/$run.tr" instructions)" $limit)" IPC min 0.55
	# Many short runs, because the machine's speed changes between and within them.
	limit=2000000
	every=$(sim $run --no-skip)
	{ read -r bare; read -r _; read -r traced; read -r _; } < <(runs=$((runs * 4)) best %U "$every" \
		"${every//build\/bin\/soc-sim/build/no-port/bin/soc-sim}" "$every --trace $out/sim.tr" "$every --lockstep")
	figure "sim_rate_$run" "$(mega $limit "$bare")" Mcycles/s min 2.5
	figure "sim_rate_traced_$run" "$(mega $limit "$traced")" Mcycles/s min 2.5
	compare "sim_port_cost_$run" 1 2 max 1.02
	compare "sim_lockstep_cost_$run" 4 1 max 2
	best %U "$every" "${every//build\/bin\/soc-sim/build/no-cover/bin/soc-sim}" \
		"$every --counters all --counters-csv $out/sim.csv" > "$out/least"
	compare "sim_counters_off_rate_kept_$run" 2 1 min 0.95 3
	compare "sim_counters_on_rate_kept_$run" 2 3 min 0.85 3
	limit=5000000
	every=$(sim $run --no-skip)
	# soc-sim executes the same instructions for a file and for tr-capture, which adds 0.5 %, half
	# of it to decode the rows: what it costs above that is the host's, for two processes.
	runs=$((runs * 3)) best %R "$every" "$bin/tr-capture -o $out/sim.tr -- $every" > "$out/least"
	compare "sim_capture_cost_$run" 2 1 max 1.10
done

# An archive of the whole demo: its size, and the CPU time to read it, beside that of the trace.
"$bin/tr-capture" -o "$out/demo.whole.tr" -- "$bin/soc-sim" "$target/firmware.elf" "$target/demo.elf" < /dev/null > "$out/console"
"$bin/tr-capture" -@2 --archive -o "$out/demo.archive.tr" "$out/demo.whole.tr"
figure archive_demo_bytes_per_instruction "$(info "$out/demo.archive.tr" bytes/instruction)" B/instr max 0.036
best %U "$bin/tr-capture -u -o /dev/null $out/demo.archive.tr" "$bin/tr-capture -u -o /dev/null $out/demo.whole.tr" > "$out/least"
compare archive_read_cost_demo 1 2 max 1.5
rm "$out/demo.whole.tr" "$out/demo.archive.tr"

# IPC of the loop's parts, by their functions.
"$bin/tr-match" --bins "$target/bins.lst" "$out/integer.tr" | "$bin/tr-unwind" -o "$out/integer.stacks.tr"
self() { # UNIT: each function and its self cost
	"$bin/tr-report" functions --unit "$1" "$out/integer.stacks.tr" | awk '{ print $NF, $2 }'
}
for part in crc quicksort walk multiply copy_words divide; do
	cycles=$(self cycles | awk -v f=$part '$1 == f { print $2 }')
	figure "sim_ipc_$part" "$(ratio "$(self instructions | awk -v f=$part '$1 == f { print $2 }')" "$cycles")" IPC
done

# The whole pipeline behind the simulator, and two simulators at once.
limit=20000000
one=$(sim demo)
live="$bin/tr-capture -u -- ${one% <*} < /dev/null | $bin/tr-match --bins $target/bins.lst | $bin/tr-unwind | $bin/tr-fold"
best %R "$one" "$live" "$one & $one; wait \$!" > "$out/least"
compare sim_live_pipeline_cost 2 1 max 1.3
compare sim_two_at_once_cost 3 1 max 1.10
rm -f "$out/sim.tr" "$out/sim.csv" "$out/least"
