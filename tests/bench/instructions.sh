# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Instructions of the host for a cycle of soc-sim, as callgrind counts them: no neighbour
# moves them, so they gate. The difference of two runs, so that the start does not count.
#
# The builds are those of soc-sim, with a profile, for x86-64-v3: valgrind knows no AVX-512.
# The limits are for the integer loop, where a build without cover points took 1774, one with
# points that nobody counts 1804, traced 1897 and with all of them counted 2054. Floating
# point, which the loop does not use, has since added 31, 33 and 42 to 1742, 1839 and 1930; the
# network interface, which is not there without --nic, 52, 52 and 135 to 1794, 1891 and 2065:
# 3 % at most are allowed for it where nothing is counted. The copy unit, which is not there
# without --copy-unit, may cost 3 % more: it took 55, 54 and 70. Straps sampled in reset and
# functions that are part of their caller (shorten.sh) saved 26, 26 and 36 of 1854, 1952 and
# 2140: 0.5 % more than was left is allowed. That commit took 1828, 1926 and 2104 at first, but
# 1844 and 1941 without counters when it was built again, on another machine: the limits of
# these are higher by that. Following the TLB (watch.h) added 13 to a traced run, one harness for
# one hart and several 7 to each. Tracing the demo may add 7 %: one limit to compare in each
# cycle took it from 7.5 % to 6.4 %.
#
# The demo is counted for longer, since its later processes have pages that were page tables of
# earlier ones: stores to these took a traced run to 1.13 times the instructions of one without
# a trace.

declare -A last=([integer]=300000 [demo]=1500000)

# instructions BUILD PROGRAM [OPTION...]: for a cycle.
instructions() {
	per_cycle 100000 "${last[$2]}" "$counted build/$1/bin/soc-sim --max-cycles %d --no-skip ${*:3} \
		$target/firmware.elf $target/$2.elf"
}

for run in integer demo; do
	limit() { if [ $run = "$1" ]; then echo "max $2"; fi; }
	figure "sim_instructions_no_cover_$run" "$(instructions instructions-no-cover $run)" /cycle
	# shellcheck disable=SC2046 # sense and limit are words
	{
		bare=$(instructions instructions $run)
		traced=$(instructions instructions $run --trace "$out/sim.tr")
		figure "sim_instructions_$run" "$bare" /cycle $(limit integer 1856)
		figure "sim_instructions_traced_$run" "$traced" /cycle $(limit integer 1965)
		figure "sim_instructions_trace_cost_$run" "$(ratio "$traced" "$bare" 3)" times $(limit demo 1.07)
		figure "sim_instructions_counted_$run" \
			"$(instructions instructions $run --counters all --counters-csv "$out/sim.csv")" /cycle $(limit integer 2115)
	}
done

# The out-of-order core, in the measured parts of kernels, the first cycles of which boot.
declare -A first=([list]=360000 [matrix]=290000 [states]=180000 [crc]=240000 [records]=150000)
total=0
for run in list matrix states crc records; do
	count=$(per_cycle "${first[$run]}" $((first[$run] + 40000)) "$counted build/instructions-ooo/bin/soc-sim --core ooo \
		--max-cycles %d --no-skip $target/firmware.elf $target/benchmarks/$run-image.elf")
	figure "ooo_instructions_$run" "$count" /cycle
	total=$(calculate %.0f "$total" + "$count")
done
figure ooo_instructions "$(calculate %.0f "$total" / 5)" /cycle max 6500
rm -f "$out/sim.tr" "$out/sim.csv"
