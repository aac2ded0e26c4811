# SPDX-License-Identifier: Apache-2.0
# tr-sample: an instruction takes a cycle of the model's time until 16 windows are there, so that a
# program that measures the machine at its start does not take a cold cache for its speed; then
# the time that windows before have shown.
riscv64-unknown-elf-gcc -O1 -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib \
	-Wl,--no-warn-rwx-segments -T "$SRC/sim/target/firmware/firmware.ld" -o time.elf "$SRC/tests/cli/data/sample-time.c"
soc-sim time.elf | tr '\n' ' '; echo 'cycles of 100 instructions on the hardware'
tr-sample --interval 3k --length 500 -o run.tr -- soc-sim time.elf |
	awk -v whole="$(soc-sim time.elf < /dev/null | tail -n 1)" 'NR == 1 { print $1, "at first" }
	NR == 2 { print ($1 / whole > 0.97 && $1 / whole < 1.03) ? "near the hardware" : $1, "later" }'
echo '== without dilation'
tr-sample --no-dilation --interval 10k -o run.tr -- soc-sim time.elf
