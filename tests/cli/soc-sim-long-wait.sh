# SPDX-License-Identifier: Apache-2.0
# A wait longer than one run of a class can encode takes several runs: no cycle is lost.
. "$SRC/tests/cli/soc-model.inc"

program wait.elf << E
.globl _start
_start:	li a0, 0x2004000
	li a1, 1350000
	sd a1, (a0)
	li a1, 0x80
	csrw mie, a1
	wfi$off
E
soc-sim --no-provenance --trace wait.tr wait.elf
tr-text --tokens wait.tr | grep 10500073
