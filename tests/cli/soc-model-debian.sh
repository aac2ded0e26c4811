# SPDX-License-Identifier: Apache-2.0
# The device tree of `make linux-debian` fits a machine of 256 MiB, but no smaller one, and
# that of `make linux-debian-perl` one of 512 MiB with F and D. Both reserve the memory of
# the firmware: a kernel that used it would overwrite the firmware.
. "$SRC/tests/cli/soc-model.inc"
program off.elf <<< ".globl _start; _start: $off"
tree() {
	gcc -E -P -undef -nostdinc -x assembler-with-cpp -I"$SRC/sim" "$@" "$SRC/sim/target/debian/soc.dts" |
		dtc -O dtb -o soc.dtb
	fdtget -t x soc.dtb /reserved-memory/firmware@80000000 reg
	fdtget soc.dtb /cpus/cpu@0 riscv,isa-extensions
	fdtget soc.dtb /chosen bootargs
}
boot() {
	soc-model --isa rv64gc --ram "$1" off.elf --dtb soc.dtb
	echo "$1: status $?"
}
tree
boot 256M
boot 255M
tree -DHAS_FLOAT -DRAM_SIZE=0x20000000 -DBOOTARGS='"quiet"'
boot 512M
boot 511M
