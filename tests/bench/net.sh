# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Two nodes that compute while the wire between them is idle, against the same two without a
# wire: what the coupling costs. Seconds are meant for a quiet machine, where each process has
# a processor of its own; the host's instructions are of the build that bench-instructions has.

node() { # SIMULATOR NIC
	echo "$1 --no-provenance --nic $2 --max-cycles %d build/smp/compute-1.elf"
}
apart() { # SIMULATOR
	echo "$(node "$1" loopback) < /dev/null & $(node "$1" loopback) < /dev/null; wait \$!"
}
coupled() { # SIMULATOR
	echo "$bin/soc-net -- $(node "$1" wire) -- $(node "$1" wire)"
}

sim="$counted build/instructions/bin/soc-sim"
one=$(per_cycle 100000 300000 "$(apart "$sim")")
two=$(per_cycle 100000 300000 "$(coupled "$sim")")
figure net_instructions_apart "$one" /cycle
figure net_instructions_coupled "$two" /cycle
figure net_instructions_cost "$(ratio "$two" "$one" 3)" times max 1.05

limit=6000000
one=$(apart "$bin/soc-sim") two=$(coupled "$bin/soc-sim")
{ read -r one; read -r two; } < <(runs=$((runs * 3)) best %R "${one//%d/$limit}" "${two//%d/$limit}")
figure net_rate_apart "$(mega $limit "$one")" Mcycles/s
figure net_rate_coupled "$(mega $limit "$two")" Mcycles/s
compare net_coupling_cost 2 1 max 1.05 3
