# SPDX-License-Identifier: Apache-2.0
# Inputs that cannot be run: one line with the reason, and exit status 2.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: $off"
riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -static -x assembler - -o rv32.elf \
	<<< '.globl _start; _start: nop'
program outside.elf -Wl,-Ttext=0x1000 <<< '.globl _start; _start: nop'
program nowhere.elf <<< '.globl _start; _start: sd zero, 64(zero)'
program loop.elf <<< '.globl _start; _start: la a0, 1f; csrw mtvec, a0; unimp; .balign 4; 1: unimp'
printf 'checkpoint' > state.ckpt
try() {
	soc-sim "$@"
	echo "$*: status $?" >&2
}
try
try missing.elf
try rv32.elf
try outside.elf
try a.elf a.elf
try state.ckpt
try nowhere.elf
try loop.elf
try --start pc=no_such_function a.elf
try --start cycle=9 --stop cycle=3 a.elf
try --ram 5 a.elf
try --l2-latency x a.elf
try --trace /dev/full a.elf
try --lockstep a.elf
