# SPDX-License-Identifier: Apache-2.0
# Files that cannot be run: one line with the reason, and exit status 2.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: $off"

# patched FILE OFFSET BYTES: a copy of a.elf with BYTES (as for printf) at OFFSET.
patched() {
	cp a.elf "$1"
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -static -x assembler - -o rv32.elf \
	<<< '.globl _start; _start: nop'
patched x86.elf 18 '\x3e\x00'
patched big-endian.elf 5 '\x02'
printf '\x00\xf3' | dd of=big-endian.elf bs=1 seek=18 conv=notrunc status=none
patched shared.elf 16 '\x03\x00'
head -c 100 a.elf > cut.elf
head -c 30 a.elf > cut-header.elf
echo text > text
: > empty
mkdir folder
mkfifo fifo
for file in missing.elf rv32.elf x86.elf big-endian.elf shared.elf cut.elf cut-header.elf text empty \
	folder fifo missing.bin@0x80000000 text@0x1000 text@0x80000100 'a.elf a.elf' 'a.elf text@0x80000000'; do
	soc-model $file
	echo "$file: status $?" >&2
done
soc-model --start pc=fifo:main a.elf
echo "a symbol of a pipe: status $?" >&2
soc-model --trace missing/run.tr a.elf
echo "status $?" >&2
