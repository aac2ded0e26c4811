# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The filters on several cores (make linux first): a long trace of Linux on the hardware, folded
# by a pipe of three programs, and by one process with threads. LONG is its number of
# instructions (1870M), of which the hardware runs some 5 M a second; LONG_TRACE a file to take
# instead. All outputs must be the same.

long=${LONG_TRACE:-$out/cores.tr} bins=build/linux/forever.lst
[ -n "${LONG_TRACE:-}" ] || "$bin/tr-capture" -o "$long" -- "$bin/soc-sim" --ram 64M --max-instructions "${LONG:-1870M}" \
	"$target/firmware.elf" build/linux/vmlinux build/linux/forever.elf < /dev/null > "$out/console" 2>&1
n=$(info "$long" instructions)
figure cores_trace_instructions "$n" instructions

pipe="$bin/tr-match --bins $bins $long | $bin/tr-unwind | $bin/tr-fold"
one="$bin/tr-fold -@2 --bins $bins $long"
bash -e -o pipefail -c "$pipe" > "$out/cores.pipe" 2> /dev/null
for threads in 1 2 16; do
	"$bin/tr-fold" "-@$threads" --bins "$bins" "$long" 2> /dev/null | cmp - "$out/cores.pipe" >&2 ||
		{ echo "bench: -@$threads differs from the pipe" >&2; exit 1; }
done

# On two cores: elapsed time. The gain does not depend on other load of the machine as the
# rates do; nor do those of processor time.
{ read -r t; read -r together; } < <(best %R "$pipe" "$one")
figure cores_pipe_rate "$(mega "$n" "$t" 1)" Minstr/s
figure cores_rate "$(mega "$n" "$together" 1)" Minstr/s min 250
compare cores_gain 1 2 min 1
best %U "$pipe" "$one" > "$out/least"
compare cores_work_saved 1 2 min 1

# On 16 cores, modelled: the processor time of all threads over that of the busiest one, which
# is what one core takes over what a core for each thread would take.
rm -f "$out/work"
for _ in $(seq "$runs"); do
	"$tests/thread-work" "$out/work" "$bin/tr-fold" -@16 --bins "$bins" "$long" > /dev/null 2>&1
done
figure cores_16_modelled_speedup "$(awk '{ r = $1 / $2; if (r > most) most = r } END { printf "%.2f", most }' "$out/work")" times min 10
rm -f "$out/cores.tr" "$out/cores.pipe" "$out/work"
