# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Two harts in Verilator, against one: cycles per second of processor time while each hart
# computes in its L1D. The clock of the crossbar is stopped where it may be.

limit=4000000
smp() { # HARTS
	echo "$bin/soc-sim --harts $1 --max-cycles $limit build/smp/compute-$1.elf < /dev/null"
}
{ read -r one; read -r two; } < <(runs=$((runs * 3)) best %U "$(smp 1)" "$(smp 2)")
figure smp_rate_one "$(mega $limit "$one")" Mcycles/s
figure smp_rate_two "$(mega $limit "$two")" Mcycles/s
compare smp_rate_kept 1 2 min 0.45 3
