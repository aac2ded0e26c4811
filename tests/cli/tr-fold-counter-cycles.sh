# SPDX-License-Identifier: Apache-2.0
# A counter that counts each cycle weighs the stacks of the hardware as cycles do, to
# the last, however often it is sampled; and sampling changes no token and no stack.
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
