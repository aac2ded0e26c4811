# SPDX-License-Identifier: Apache-2.0
# --stop and --undo-stop: the program's first bytes, what is kept of them, and that a
# stopped program is extracted like the program.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	printf 'function begin\naddi a0, a0, 1\naddi a1, a1, 1\nret\ndone_ begin\n'
} | program a.elf
touch -d '2020-02-02 02:02:02 UTC' a.elf
cp -p a.elf kept.elf

data=prof$PWD/a.elf/data.bin
state() { # the program's first 4 bytes, its time, and the flags of data.bin
	riscv64-linux-gnu-objcopy -O binary -j .text a.elf text.bin
	od -An -tx1 -N4 text.bin
	date -u -r a.elf +%FT%T
	[ ! -e "$data" ] || od -An -tx4 -j20 -N4 "$data"
}

prof-extract -o prof a.elf
state
cp "$data" plain.bin
echo '--stop:'
prof-extract -s -o prof a.elf
state
cmp "$data" plain.bin | sed 's/.*a.elf/data/'
prof-extract -s -o prof a.elf
prof-extract --list -o prof a.elf
prof-extract -o prof a.elf
state
echo 'another folder:'
prof-extract -o other a.elf
echo "status $?"
ls -A other
echo '--undo-stop:'
prof-extract -u -o prof a.elf
state
cmp a.elf kept.elf
cmp "$data" plain.bin
prof-extract --undo-stop -o prof a.elf
cmp a.elf kept.elf
