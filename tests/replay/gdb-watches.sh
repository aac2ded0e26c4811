#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb-watches.sh BIN FOLDER: which writes stop a watch of some bytes. gdb does not show a stop
# after which the value is the same, so the packets are sent without gdb.
set -eu -o pipefail
bin=$1 folder=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/gdb.inc"

# program NAME, from standard input.
program() {
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$source/sim/target/firmware/firmware.ld" -o "$1.elf" -x assembler -
}
symbols() { riscv64-unknown-elf-nm "$1" | sed 's/^0*\([0-9a-f]*\) . /\1 /'; }
address() { symbols "$1" | sed -n "s/ $2\$//p"; }

# ask TEXT: sends a packet through descriptor 3, and sets $reply to the answer, of which output
# for the user is no part.
ask() {
	local sum=0 i
	for ((i = 0; i < ${#1}; i++)); do sum=$((sum + $(printf '%d' "'${1:i:1}"))); done
	printf '+$%s#%02x' "$1" $((sum % 256)) >&3
	reply=Oa
	while [[ $reply == O[0-9a-f]* ]]; do
		IFS= read -r -d '#' -t 20 reply <&3 || { echo "gdb: no answer to $1"; exit 1; }
		read -r -N 2 -t 20 <&3
		reply=${reply#*$}
	done
}

# A stop is before the write, or behind it on the way back: as gdb, steps without the watch.
step_over() { # STEP ADDRESS,SIZE
	local packet
	for packet in "z2,$2" "$1" "Z2,$2"; do ask "$packet"; done
}

# stops PROGRAM ADDRESS SIZE WAY...: the places of all stops of a watch each way, to the end of
# the trace or back to its beginning.
stops() {
	local way step at
	at=$(printf %x "$2"),$3
	exec 3<> "/dev/tcp/127.0.0.1/$port"
	ask bc # from where the client before has left
	ask "Z2,$at"
	[ "$reply" = OK ] || { echo "gdb: no watch: $reply"; exit 1; }
	for way in "${@:4}"; do
		step=bs
		[ "$way" = bc ] || step='vCont;s'
		for _ in {1..30}; do
			ask "$way"
			[[ $reply == *watch:* ]] || break
			ask p20
			symbols "$1" | sed -n "s/^$(tac -rs .. <<< "$reply" | tr -d '\n' | sed 's/^0*//') //p"
			step_over "$step" "$at"
		done
		[[ $reply == *replaylog:* ]] || { echo "gdb: stopped: $reply"; exit 1; }
		echo /
	done | paste -sd ' '
	exec 3>&-
}
expect() { # WHAT TEXT ARGUMENTS OF stops
	local got
	got=$(stops "${@:3}")
	[ "$got" = "$2" ] || { echo "gdb: $1: $got"; echo "expected: $2"; exit 1; }
}

# Each store is behind a label; behind it is another, where a way back stops.
program stores << 'E'
	.section .text.start, "ax"
	.globl	_start, bytes
	.macro	store name, insn:vararg
	addi	t1, t1, 1
\name:	\insn
after_\name: nop
	.endm
_start:	la	s0, bytes
	store	sb3, sb t1, 3(s0)
	store	sb4, sb t1, 4(s0)
	store	sb5, sb t1, 5(s0)
	store	lb4, lb t0, 4(s0)
	store	sh2, sh t1, 2(s0)
	store	sh4, sh t1, 4(s0)
	store	sw0, sw t1, 0(s0)
	store	sw4, sw t1, 4(s0)
	store	sd0, sd t1, 0(s0)
	store	sd8, sd t1, 8(s0)
	store	same4, sb t1, 4(s0)
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b
	.balign	64
bytes:	.skip	64
E
soc-model --trace stores.tr stores.elf > console
serve stores.tr stores.elf
bytes=$((16#$(address stores.elf bytes)))
both=('vCont;c' bc)
expect 'byte 4' 'sb4 sh4 sw4 sd0 same4 / after_same4 after_sd0 after_sw4 after_sh4 after_sb4 /' \
	stores.elf $((bytes + 4)) 1 "${both[@]}"
expect 'byte 3' 'sb3 sh2 sw0 sd0 / after_sd0 after_sw0 after_sh2 after_sb3 /' stores.elf $((bytes + 3)) 1 "${both[@]}"
expect 'bytes 6 and 7' 'sw4 sd0 / after_sd0 after_sw4 /' stores.elf $((bytes + 6)) 2 "${both[@]}"
expect 'bytes 8 to 15' 'sd8 / after_sd8 /' stores.elf $((bytes + 8)) 8 "${both[@]}"
expect 'byte 16' '/ /' stores.elf $((bytes + 16)) 1 "${both[@]}"
kill $server
wait $server || :

# Between two windows only byte 4 changes, by no instruction of the trace.
program windows << 'E'
	.section .text.start, "ax"
	.globl	_start, on, off, bytes
_start:	la	s0, bytes
	li	s1, 0
1:	addi	s1, s1, 1
on:	sw	s1, 12(s0)
	nop
off:	slli	t0, s1, 4
	sb	t0, 4(s0)
	li	t0, 3
	bne	s1, t0, 1b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
2:	j	2b
	.balign	64
bytes:	.skip	64
E
soc-model --trace windows.tr --start pc=windows.elf:on --stop pc=windows.elf:off windows.elf > console
serve windows.tr windows.elf
bytes=$((16#$(address windows.elf bytes)))
expect 'byte 4 of windows' 'off off /' windows.elf $((bytes + 4)) 1 'vCont;c'
expect 'byte 3 of windows' / windows.elf $((bytes + 3)) 1 'vCont;c'
expect 'byte 5 of windows' / windows.elf $((bytes + 5)) 1 'vCont;c'
kill $server
wait $server || :
server=
[ ! -s server.err ] || { echo 'gdb: messages'; cat server.err; exit 1; }
echo 'gdb: a watch stops at writes of its bytes, and at no others'
