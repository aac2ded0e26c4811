# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The out-of-order core: instructions a cycle of kernels with the caches of the SoC, of the
# programs alone, without the supervisor that runs them; rate and cost of tracing, where every
# cycle is evaluated (--no-skip), and bytes of a trace, beside the core in order.
#
# Of 13 kernels, five are like CoreMark and Dhrystone. Of the others four have branches that depend
# on random data (bits, ranks, search, branch) and four are slow by design, each for another reason
# (load_use, multiply, divide, fetch).

kernels=(list matrix states crc records)
others=(bits ranks search branch load_use multiply divide fetch)

kernel() { # NAME [OPTION...]
	echo "$bin/soc-sim ${*:2} $target/firmware.elf $target/benchmarks/$1-image.elf < /dev/null"
}
window() { # NAME: options for the measured part
	echo "--start pc=$target/benchmarks/$1.elf:benchmark --stop pc=$target/benchmarks/$1.elf:benchmark_end"
}
# user_ipc TRACE: instructions of U-mode for each of its cycles.
user_ipc() {
	local instructions cycles
	read -r instructions cycles < <("$bin/tr-info" "$1" | awk '$1 == "0" && $2 == "U" && !n++ { print $4, $5 }')
	ratio "${instructions:-failed}" "${cycles:-failed}" 3
}
# geometric_mean NUMBER...
geometric_mean() {
	printf '%s\n' "$@" | awk '!($1 + 0 > 0) { failed = 1; exit }
		{ sum += log($1) } END { if (failed || !NR) print "failed"; else printf "%.3f\n", exp(sum / NR) }'
}

ipc=()
for name in "${kernels[@]}" "${others[@]}"; do
	# shellcheck disable=SC2046 # options are words
	eval "$(kernel "$name" --core ooo $(window "$name") --trace "$out/ooo.tr")" > /dev/null
	ipc+=("$(user_ipc "$out/ooo.tr")")
	figure "ooo_ipc_$name" "${ipc[-1]}" IPC
done
figure ooo_ipc_like_coremark "$(geometric_mean "${ipc[@]:0:5}")" IPC min 1.8
figure ooo_ipc_all "$(geometric_mean "${ipc[@]}")" IPC

# The five kernels whole, one after the other.
all=() traced=() bytes=() cycles=0 instructions=0
for name in "${kernels[@]}"; do
	all+=("$(kernel "$name" --core ooo --no-skip);")
	traced+=("$(kernel "$name" --core ooo --no-skip --trace "$out/ooo.tr");")
	for core in inorder ooo; do
		eval "$(kernel "$name" --core $core --trace "$out/ooo-$core.tr")" > /dev/null
	done
	bytes+=("$(ratio "$(info "$out/ooo-ooo.tr" bytes/instruction)" "$(info "$out/ooo-inorder.tr" bytes/instruction)" 3)")
	cycles=$(calculate %.0f "$cycles" + "$(info "$out/ooo-ooo.tr" cycles)")
	instructions=$(calculate %.0f "$instructions" + "$(info "$out/ooo-ooo.tr" instructions)")
done
{ read -r bare; read -r with; } < <(best %U "${all[*]}" "${traced[*]}")
figure ooo_rate "$(mega "$cycles" "$bare")" Mcycles/s min 1.2
figure ooo_rate_instructions "$(mega "$instructions" "$bare")" M/s min 2
figure ooo_rate_traced "$(mega "$cycles" "$with")" Mcycles/s
compare ooo_trace_cost 2 1 max 1.10 3
figure ooo_trace_bytes "$(geometric_mean "${bytes[@]}")" times max 1.3
rm -f "$out"/ooo*.tr
