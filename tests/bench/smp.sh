# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Two harts in Verilator, against one, while each hart computes in its L1D, or one sleeps: the
# host's instructions for a cycle, which gate, of the build that bench-instructions has, and
# cycles per second of processor time. The clock of the crossbar is stopped where it may be.

smp() { # SIMULATOR HARTS [HARTS_THAT_COMPUTE]
	echo "$1 --no-provenance --harts $2 --max-cycles %d build/smp/compute-${3:-$2}.elf < /dev/null"
}

one=$(per_cycle 100000 300000 "$(smp "$counted build/instructions/bin/soc-sim" 1)")
two=$(per_cycle 100000 300000 "$(smp "$counted build/instructions/bin/soc-sim" 2)")
figure smp_instructions_one "$one" /cycle
asleep=$(per_cycle 100000 300000 "$(smp "$counted build/instructions/bin/soc-sim" 2 1)")
figure smp_instructions_two "$two" /cycle
figure smp_instructions_asleep "$asleep" /cycle
figure smp_instructions_kept "$(ratio "$one" "$two" 3)" times min 0.45
figure smp_instructions_kept_asleep "$(ratio "$one" "$asleep" 3)" times min 0.7

limit=4000000
one=$(smp "$bin/soc-sim" 1) two=$(smp "$bin/soc-sim" 2)
{ read -r one; read -r two; } < <(runs=$((runs * 3)) best %U "${one//%d/$limit}" "${two//%d/$limit}")
figure smp_rate_one "$(mega $limit "$one")" Mcycles/s
figure smp_rate_two "$(mega $limit "$two")" Mcycles/s
compare smp_rate_kept 1 2 min 0.45 3
