# SPDX-License-Identifier: Apache-2.0
# An ELF file of a checkpoint brings another machine into the checkpoint's state: of registers, CSRs
# and devices all of different values, and of the demo at many places. Where this is reached, it is
# saved again; only what the man page says may differ. It goes on as a resume does, on the model, the
# hardware and QEMU.
. "$SRC/tests/cli/soc-model.inc"
. "$SRC/tests/cli/restore.inc"
target=$SRC/build/target

count=0
registers() { # NAME INHIBIT
	riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -I"$SRC/sim" -DINHIBIT="$2" -nostdlib -static -o "$1.elf" \
		-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none "$SRC/tests/cli/data/restore.S"
}
registers counting 0x28
registers uncounted 0x1c
registers timeless 1
for name in counting uncounted timeless; do
	soc-model --isa rv64gc --checkpoint "$name-first.ck" --checkpoint-at pc=first $name.elf
	soc-model --isa rv64gc --checkpoint "$name-second.ck" --checkpoint-at pc=second $name.elf > /dev/null
	for at in first second; do restored rv64gc 132M "$name-$at.ck"; done
done
echo "registers: $count states"
count=0
for at in exec="$target/hello_world.elf" cycle=500000 cycle={5,7,9,10,12,15,20,25,30,33,36}000000; do
	soc-model --checkpoint "demo-${at##*[=/]}.ck" --checkpoint-at "$at" "$target/firmware.elf" "$target/demo.elf" > /dev/null
	restored rv64imac 129M "demo-${at##*[=/]}.ck"
done
echo "demo: $count states"

goes_on rv64gc 132M counting-first
goes_on rv64imac 129M demo-hello_world.elf
soc-model --checkpoint hello.ck --checkpoint-at exec="$target/hello_world.elf" "$target/firmware.elf" "$target/hello.elf" > /dev/null
soc-restore hello.ck -o hello.elf
goes_on rv64imac 129M hello
cat counting-first.txt
soc-sim --isa rv64gc --ram 132M counting-first.elf | cmp - counting-first.txt
soc-sim --ram 129M hello.elf | cmp - hello.txt
qemu 132M counting-first.elf | cmp - counting-first.txt
qemu 132M counting-second.elf | cmp - <(tail -n 1 counting-first.txt)

# A core without S, MMU and PMP goes on with a program that does not need them.
program_in_u='.globl _start, user; _start: la t0, user; csrw mepc, t0; li t0, -1; csrw pmpaddr0, t0; li t0, 0x1f; csrw pmpcfg0, t0; mret
user:	li a0, 0x10000000; li a1, 85; sb a1, (a0); li a1, 10; sb a1, (a0)'
program user.elf <<< "$program_in_u; $off; 1: j 1b"
soc-model --isa rv64gc --checkpoint user.ck --checkpoint-at pc=user user.elf
for option in '' --no-devices; do
	soc-restore ${option:+"$option"} user.ck -o user-restored.elf
	qemu 132M user-restored.elf -cpu rv64,s=off,h=off,mmu=off,pmp=off
done

# Without F and D the code says that it cannot go on.
qemu 132M counting-first.elf -cpu rv64,f=off,d=off
echo "without F and D: status $?"

# Elsewhere: in memory that the program does not use, or outside of it. Without devices these are as
# after reset.
soc-restore --at 0x80100000 counting-first.ck -o inside.elf
soc-model --isa rv64gc inside.elf | cmp - counting-first.txt
soc-restore --at 0x80001000 counting-first.ck
soc-restore --at 0x90000000 counting-first.ck > outside.elf
soc-model --isa rv64gc --ram 512M outside.elf | cmp - counting-first.txt
soc-restore --no-devices counting-first.ck -o alone.elf
soc-model --isa rv64gc --ram 132M --checkpoint alone.ck --checkpoint-at "pc=0x$(key counting-first.ck pc)" alone.elf
keys alone.ck | grep -E '^(sscratch|mcycle|clint.mtimecmp|plic.pending|uart.scr)='
soc-restore counting-first.ck | cmp - counting-first.elf && echo 'the same bytes'
