#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rates of the network interface, and what it costs while nothing is sent: prints name, value,
# unit, limit, ok, short or failed; names the figures that are not ok on standard error, and
# exits 1 if there are such.
#
# rate.sh "MACHINE COMMAND" BUILD: soc-sim with the interface; and a build of soc-sim that
# valgrind can run, whose instructions with the interface are compared with those without. The rates are those of frames that come back, each way. From DRAM the lines
# in flight set the limit: 8 lines of 64 bytes in the 134 cycles of a miss (rtl/README.md).
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2034 # used by measure.sh
tsv=build/nic/rate.tsv
: > "$tsv"
# shellcheck source=tests/bench/measure.sh
. tests/bench/measure.sh

allowed=$(calculate %.1f 0.9 \* 8 \* 64 / 134 \* 8 \* 3.2)
# shellcheck disable=SC2086 # the command is words
rates=$($1 build/nic/rate.elf)
while read -r what bytes cycles; do
	case $what in
	l2_*) limit=150 ;;
	dram_*) limit=$allowed ;;
	esac
	figure "nic_$what" "$(calculate %.1f "$bytes" \* 8 / "$cycles" \* 3.2)" Gbit/s min "$limit"
done <<< "$rates"

# idle [OPTION...]: instructions of the host for a cycle of the integer loop. With --no-skip
# the clock of the interface would not stop.
idle() {
	per_cycle 100000 300000 "$counted $build --max-cycles %d $* build/target/firmware.elf build/target/integer.elf"
}
if [ $# -gt 1 ]; then
	build=$2
	figure nic_idle "$(ratio "$(idle --nic loopback)" "$(idle)" 3)" instructions max 1.03
fi
end_figures
