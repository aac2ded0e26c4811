# SPDX-License-Identifier: Apache-2.0
# Harts share programs and address spaces: a process that begins on hart 1 has run there
# before it runs on hart 0, although the frame has the rows of hart 0 first. Another
# program with that satp is another space, on the hart that does not write satp too.

# elf NAME REGISTER: a program of three functions, each a block of its own.
elf() {
	for f in _start main foo; do
		printf '\t.globl %s\n%s:\n' $f $f
		for i in $(seq 20); do printf '\taddi %s, %s, %d%d\n' "$2" "$2" ${#f} "$i"; done
		printf '\tjr t0\n'
	done | riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -nostdlib -Wl,-Ttext=0x10000 \
		-Wl,--build-id=none -x assembler - -o "$1"
}
# blocks PREFIX FILE: its functions as blocks.
blocks() {
	riscv64-unknown-elf-objdump -d "$2" | awk -v prefix="$1" \
		'/^[0-9a-f]+ </ { gsub(/[<>:]/, ""); printf "%sblock %s%s pc=0x%s", end, prefix, $2, $1; end = "\n" } \
		/^ +[0-9a-f]+:/ { printf " %s", $2 } END { print "" }'
}
elf one a0
elf two a1
{
	cat << 'END'
header content=rows
header xlen=64
header harts=2
block trap pc=0xffffffff80000000 00000013
END
	blocks 1 one
	blocks 2 two
	cat << 'END'
hart 0 priv=S satp=0x8000000000000009
row trap stall 0:100
satp 0x8000000000000001
xret priv=U
row 1main
trap cause=8 priv=S epc=0x10104 cycles=1
row trap stall 0:200
xret priv=U
row 2foo
hart 1 priv=S satp=0x8000000000000001
row trap
xret priv=U
row 1_start
trap cause=8 priv=S epc=0x10008 cycles=1
row trap stall 0:200
xret priv=U
row 2_start
row 2main
end end=limit
END
} > harts.txt
tr-text --encode -o harts.tr harts.txt
printf '%s user\n' one two > bins.lst
tr-match -v --bins bins.lst harts.tr | tr-text | grep -E '^(hart|row|satp|space|xret|note [0-9])'
