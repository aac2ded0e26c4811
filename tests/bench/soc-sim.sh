# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The hardware in Verilator: rate, IPC, and what tracing and counters cost. A cycle is
# counted when it was evaluated (--no-skip); seconds are of the process unless wall time
# is meant.

figure host_clock "$(mega "$("$tests/host-clock")" 1 0)" MHz
limit=5000000

# The build without the port is a simulator, too: it sees the end of a program.
timeout 60 build/no-port/bin/soc-sim "$target/firmware.elf" "$target/hello.elf" < /dev/null > "$out/console" ||
	{ echo "bench: soc-sim without the trace port does not end: status $?" >&2; exit 1; }

sim() { # PROGRAM [OPTION...]
	echo "$bin/soc-sim --max-cycles $limit $target/firmware.elf $target/$1.elf ${*:2} < /dev/null"
}

for run in integer demo; do
	limit=20000000
	eval "$(sim $run --trace "$out/$run.tr")" > /dev/null
	figure "sim_ipc_$run" "$(ratio "$(info "$out/$run.tr" instructions)" $limit)" IPC min 0.55
	# Many short runs, as the machine's speed changes between and within them.
	limit=2000000
	every=$(sim $run --no-skip)
	{ read -r bare; read -r without; read -r traced; read -r lockstep; } < <(runs=$((runs * 4)) best %U "$every" \
		"${every//build\/bin\/soc-sim/build/no-port/bin/soc-sim}" "$every --trace $out/sim.tr" "$every --lockstep")
	figure "sim_rate_$run" "$(mega $limit "$bare")" Mcycles/s min 2.5
	figure "sim_rate_traced_$run" "$(mega $limit "$traced")" Mcycles/s min 2.5
	figure "sim_port_cost_$run" "$(ratio "$bare" "$without")" times max 1.02
	figure "sim_lockstep_cost_$run" "$(ratio "$lockstep" "$bare")" times max 2
	{ read -r bare; read -r without; read -r counted; } < <(best %U "$every" \
		"${every//build\/bin\/soc-sim/build/no-cover/bin/soc-sim}" "$every --counters all --counters-csv $out/sim.csv")
	figure "sim_counters_off_rate_kept_$run" "$(ratio "$without" "$bare" 3)" times min 0.95
	figure "sim_counters_on_rate_kept_$run" "$(ratio "$without" "$counted" 3)" times min 0.85
	limit=5000000
	every=$(sim $run --no-skip)
	{ read -r alone; read -r captured; } < <(runs=$((runs * 3)) best %R "$every" "$bin/tr-capture -o $out/sim.tr -- $every")
	figure "sim_capture_cost_$run" "$(ratio "$captured" "$alone")" times max 1.10
done

# The loop's parts, by their functions.
"$bin/tr-match" --bins "$target/bins.lst" "$out/integer.tr" | "$bin/tr-unwind" -o "$out/integer.stacks.tr"
self() { # UNIT: function and what it spent itself
	"$bin/tr-fold" --unit "$1" --table "$out/integer.stacks.tr" | awk '{ print $NF, $2 }'
}
for part in crc quicksort walk multiply copy_words divide; do
	cycles=$(self cycles | awk -v f=$part '$1 == f { print $2 }')
	figure "sim_ipc_$part" "$(ratio "$(self instructions | awk -v f=$part '$1 == f { print $2 }')" "$cycles")" IPC
done

# The whole pipe behind the simulator, and two simulators at once.
limit=20000000
one=$(sim demo)
live="$bin/tr-capture -u -- ${one% <*} < /dev/null | $bin/tr-match --bins $target/bins.lst | $bin/tr-unwind | $bin/tr-fold"
{ read -r alone; read -r piped; } < <(best %R "$one" "$live")
figure sim_live_pipeline_cost "$(ratio "$piped" "$alone")" times max 1.3
{ read -r alone; read -r both; } < <(best %R "$one" "$one & $one; wait")
figure sim_two_at_once_cost "$(ratio "$both" "$alone")" times max 1.10
rm -f "$out/sim.tr" "$out/sim.csv"
