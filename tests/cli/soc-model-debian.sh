# SPDX-License-Identifier: Apache-2.0
# The device tree of `make linux-debian` fits a machine of 256 MiB, but no smaller one.
. "$SRC/tests/cli/soc-model.inc"
program off.elf <<< ".globl _start; _start: $off"
gcc -E -P -undef -nostdinc -x assembler-with-cpp -I"$SRC/sim" "$SRC/sim/target/debian/soc.dts" |
	dtc -O dtb -o soc.dtb
for size in 256M 255M; do
	soc-model --ram "$size" off.elf --dtb soc.dtb
	echo "$size: status $?"
done
