#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb-writes.sh BIN LOOP FOLDER: who has written this, in gdb, if it was a device or the copy
# unit, or if it was written where nothing is traced. LOOP sends packets to itself.
set -eu -o pipefail
bin=$1 loop=$2 folder=$3
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/gdb.inc"

# What gdb says of writes: who, if it was no instruction, and the values.
changes() {
	sed -nE 's/^(written.*)/\1/p; s/^Old value = ([0-9]+).*/\1 to/p; s/^New value = ([0-9]+).*/\1/p; /^No more/s/ .*//p' session |
		paste -sd ' '
}
expect() { # WHAT TEXT
	[ "$(changes)" = "$2" ] || { echo "gdb: $1: $(changes)"; echo "expected: $2"; cat session; exit 1; }
}
cycle() { sed -n 's/^cycle \([0-9]*\), .*/\1/p' session | sed -n "$1p"; }

# The NIC's DMA into a byte that stores write before and after it.
soc-sim --nic loopback --trace loop.tr "$loop" > console
tr-text --tokens loop.tr > loop.txt
byte=$(sed -n '/^device-write/{s/.*address=\(0x[0-9a-f]*\) .*/\1/p;q}' loop.txt)
device='written by a device, not by an instruction'
serve --at 12000 loop.tr "$loop"
debug "$loop" > session << E
watch *(unsigned char *)$byte
reverse-continue
monitor cycle
reverse-continue
continue
continue
monitor cycle
continue
reverse-continue
reverse-continue
monitor cycle
kill
E
expect 'a byte of the NIC' "$device 230 to 165 165 to 0 0 to 165 $device 165 to 230 230 to 165 165 to 230 $device 230 to 165"
at=$(awk '/^device-write/ { seen = 1 }
	/^token/ { before = after; match($0, / cycle=[0-9]+/); after = substr($0, RSTART + 7, RLENGTH - 7); if (seen) { print before, after; exit } }' loop.txt)
[ "$(cycle 1) $(cycle 2)" = "$at" ] && [ "$(cycle 3)" = "$(cycle 1)" ] ||
	{ echo "gdb: the NIC writes between $at, not $(cycle 1) and $(cycle 2)"; exit 1; }

# A copy is written as a whole by its instruction; here its 50th byte.
cat > copy.S << 'E'
	.section .text.start, "ax"
	.globl	_start, copies
_start:	la	a0, to
	la	a1, from
	li	t0, 1
	sb	t0, 50(a0)
	li	t0, 2
	sb	t0, 50(a1)
	li	a2, 100
copies:	.insn	r 0x0b, 0, 0, a2, a0, a1
	li	t0, 3
	sb	t0, 50(a0)
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b
	.balign	4096
to:	.skip	4096
from:	.skip	4096
E
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$source/sim/target/firmware/firmware.ld" -o copy.elf copy.S
soc-sim --copy-unit --trace copy.tr copy.elf > console
serve copy.tr copy.elf
debug copy.elf > session << 'E'
watch *((unsigned char *)&to + 50)
continue
continue
continue
reverse-continue
reverse-continue
printf "by the copy: %d\n", $pc == &copies
kill
E
expect 'a byte of the copy unit' '0 to 1 1 to 2 2 to 3 3 to 2 2 to 1'
grep -q '^by the copy: 1' session || { echo 'gdb: not by the copy'; cat session; exit 1; }

# Between two windows a store is not traced.
cat > windows.S << 'E'
	.section .text.start, "ax"
	.globl	_start, on, off
_start:	la	s0, word
	li	s1, 0
1:	addi	s1, s1, 1
on:	sw	s1, 4(s0)
	nop
off:	slli	t0, s1, 4
	sw	t0, (s0)
	li	t0, 3
	bne	s1, t0, 1b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
2:	j	2b
	.balign	64
	.globl	word
word:	.skip	64
E
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$source/sim/target/firmware/firmware.ld" -o windows.elf windows.S
soc-sim --trace windows.tr --start pc=windows.elf:on --stop pc=windows.elf:off windows.elf > console
serve windows.tr windows.elf
debug windows.elf > session << 'E'
watch *(unsigned int *)&word
continue
continue
monitor cycle
continue
reverse-continue
monitor cycle
kill
E
untraced='written before this window, where nothing is traced'
expect 'windows' "$untraced 0 to 16 $untraced 16 to 32 No $untraced No"

[ ! -s server.err ] || { echo 'gdb: messages'; cat server.err; exit 1; }
echo 'gdb: writes of a device, of the copy unit and between windows are found, forwards and backwards'
