# SPDX-License-Identifier: Apache-2.0
# A counter that counts each cycle weights the stacks of the hardware exactly as cycles
# do, however often it is sampled; and sampling changes no token and no stack. With a
# sample each cycle every counter is exact: instructions and classes of lost cycles equal
# those of the trace.
target=$SRC/build/target
sed "/^[^/]/s|^|$target/|" "$target/bins.lst" > bins.lst
run() { # NAME OPTION...
	local name=$1
	shift
	soc-sim "$@" --trace "$name.tr" "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
	tr-match --bins bins.lst "$name.tr" | tr-unwind -o "$name.stacks.tr"
}
run plain
tr-fold plain.stacks.tr > cycles
for every in 1 37 10k 1G; do
	run sampled --counters 'uart_rx=*' --counters-every $every
	tr-diff plain.tr sampled.tr && tr-fold sampled.stacks.tr | cmp - cycles && echo "$every: the same run"
	tr-fold --unit uart_rx=0 sampled.stacks.tr | cmp - cycles && echo "$every: as cycles"
done
awk '{ sum += $NF } END { print sum }' cycles > total
tr-info sampled.stacks.tr | awk '$1 == "uart_rx=0" { print $2 }' | cmp - total && echo 'all of them'

run each --counters 'instructions_retired,class.*' --counters-every 1
tr-fold --unit instructions each.stacks.tr > instructions
tr-fold --unit instructions_retired each.stacks.tr | cmp - instructions && echo 'instructions: exact'
# Function and cycles of the class, if any.
tr-report tma each.stacks.tr | sed 's/self %/self%/; s/bad spec/bad_spec/; s/backend /backend_/g' > tma
for class in memory.dram memory.l2 frontend.icache-l2 badspec.branch core.load-use; do
	awk -v class="$class" '$1 == "self" { for (i = 1; i <= NF; i++) if ($i == class) at = i }
		at && $1 + 0 && !/ have a class: / && $at { print $NF, $at }' tma | sort > expected
	tr-report functions --unit "class.$class" each.stacks.tr |
		awk 'NR > 2 && !/ charged: / && $2 { print $NF, $2 }' | sort | cmp - expected &&
		[ "$(wc -l < expected)" -gt 9 ] && echo "$class: exact"
done

run windows --counters all --counters-every 700 --start "pc=$target/supervisor.elf:trap_handler" \
	--stop "pc=$target/supervisor.elf:schedule"
tr-fold windows.stacks.tr | grep -v '^\[untraced\]' > cycles
tr-fold --unit uart_rx=0 windows.stacks.tr | cmp - cycles && echo 'windows: as cycles'
