#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# soc-restore on Linux: ELF files of checkpoints where programs begin, and in the middle of others, bring
# the model into the same state, from where it does the same; and so does the hardware, and QEMU. These
# interrupt programs at other places, QEMU with a timer that is ten times as fast: the lines of programs
# that run side by side, as in BusyBox and the demo, come in another order.
#
#   BIN=FOLDER tests/truth/restore.sh WORK TARGET LINUX
set -eu # what pipes compare shows their failures, and pcs() ends some early
SRC=$(cd "$(dirname "$0")/../.." && pwd)
BIN=$(cd "$BIN" && pwd)
mkdir -p "$1"
target=$(cd "$2" && pwd) linux=$(cd "$3" && pwd)
export SRC LC_ALL=C PATH=$BIN:$PATH
. "$SRC/tests/cli/restore.inc"
cd "$1"
fail() { echo "restore: $1" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$3"; }
# lines FILE: without what `ps | wc -l` of BusyBox counts, which is a race with processes that end.
lines() { sort "$1" | grep -vx '1[0-9].\?'; }

# saved NAME AT IMAGE: NAME.ck, whose state is the same where NAME.elf enters it.
saved() {
	count=0
	soc-model --ram 64M --checkpoint "$1.ck" --checkpoint-at "$2" "$target/firmware.elf" "$linux/vmlinux" "$linux/$3" < /dev/null > /dev/null
	restored rv64imac 68M "$1.ck" > differences
	cat differences >&2
	[ ! -s differences ] || fail "$1: another state"
	[ "$count" = 1 ] || fail "$1: no state"
	echo "restore: $1: the same state"
}
for run in hello.elf:exec="$linux/hello_world" busybox.elf:exec="$linux/busybox" busybox.elf:cycle=12M busybox.elf:cycle=33M \
	truth.elf:cycle=20M; do
	name=${run%%.elf:*}-${run##*[=/]}
	saved "$name" "${run#*:}" "${run%%:*}"
	goes_on rv64imac 68M "$name" > said
	sed 's/^/restore: /' said
	[ "$(wc -l < said)" = 1 ] || fail "$name: it goes on differently"
	grep -q 'Power down' "$name.txt" || fail "$name: no end"
	qemu 68M "$name.elf" > "$name-qemu.txt" || fail "$name: QEMU"
	lines "$name-qemu.txt" > lines.txt
	lines "$name.txt" | same - lines.txt "$name: QEMU writes something else"
	echo "restore: $name: QEMU writes the same $(wc -l < lines.txt) lines"
done
same hello-hello_world.txt hello-hello_world-qemu.txt 'hello: QEMU writes the lines in another order'
soc-sim --ram 68M hello-hello_world.elf < /dev/null > hardware.txt
same hello-hello_world.txt hardware.txt 'the hardware writes something else'
echo 'restore: hello-hello_world: the hardware writes the same'

soc-model --checkpoint demo.ck --checkpoint-at exec="$target/hello_world.elf" "$target/firmware.elf" "$target/demo.elf" > /dev/null
soc-restore demo.ck -o demo.elf
soc-model --resume demo.ck | sort > demo.txt
soc-sim --ram 132M demo.elf | sort > hardware.txt
same demo.txt hardware.txt 'the hardware writes something else for the demo'
qemu 132M demo.elf -icount shift=0 | sort > qemu.txt
same demo.txt qemu.txt 'QEMU writes something else for the demo'
echo "restore: demo: hardware and QEMU write the same $(wc -l < demo.txt) lines"
