# SPDX-License-Identifier: Apache-2.0
# Zcmp in streams: told by the header, with sp as its bits tell; found out in a later frame;
# and c.fsdsp with the same encodings, after which traps are taken, reported or not.
printf '__attribute__((naked, aligned(256))) void %s(void) { __asm__(".fill 60, 4, 0x13"); }\n' \
	_start main work leaf handler > prog.c
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mno-riscv-attribute -Wa,-mno-arch-attr -ffreestanding \
	-fno-toplevel-reorder -nostdlib -Wl,--build-id=none -Wl,-e,_start -Wl,-Ttext=0x10000 -o prog.elf prog.c
show() { # NAME COMMAND...: what a change of the text gives
	echo "$1"
	"${@:2}" "$1.txt" | tr-text --encode | tr-unwind -v -o stacks.tr 2> said
	sed -n 's/.*instructions, \(.* returns\?\) .*, \(.* traps\),.*, \(.* in doubt\)/\1, \2, \3/p' said
	tr-fold stacks.tr
}
# main pushes ra and s0 to s2, calls work by a table, which calls leaf, and jumps to leaf.
cat > calls.txt << 'END'
header content=rows
header bin.0=prog.elf
header isa=rv64imac_zcmt
header watch=2
block start pc=0x10000 100000ef (jal main)
block main pc=0x10100 b872 7179 a0a2 (cm.push, addi16sp -48, cm.jalt 40)
block work pc=0x10200 b842 0fe000ef (cm.push, jal leaf)
block leaf pc=0x10300 8082 (ret)
block work2 pc=0x10206 ba42 a006 (cm.pop, cm.jt 1)
block main2 pc=0x10106 6145 be72 (addi16sp 48, cm.popret)
block start2 pc=0x10004 0001
note machine start bin=0 address=0x10000
note machine main bin=0 address=0x10100
note machine work bin=0 address=0x10200
note machine leaf bin=0 address=0x10300
note machine work2 bin=0 address=0x10206
note machine main2 bin=0 address=0x10106
note machine start2 bin=0 address=0x10004
hart 0 priv=M
row start
reg x2 0x20000
row main
row work
row leaf
row work2
row leaf
row main2
row start2
end end=power-off
END
show calls cat
show calls grep -v -e isa= -e watch= -e '^reg'
# It is found out in the second frame, when main has moved sp: that is doubt, and known in
# the third.
late() {
	grep -v -e isa= -e watch= -e '^reg' "$1" | sed '/^row main$/a frame
		/^row start2/{
		p
		s/.*/frame\nrow start\nrow main\nrow work\nrow leaf\nrow work2\nrow leaf\nrow main2\nrow start2/
		}'
}
show calls late
# Spills of doubles that have the encodings of cm.push, cm.jalt, cm.popret and cm.jt, before
# traps: a call of the environment, and a timer's interrupt.
cat > doubles.txt << 'END'
header content=rows
header bin.0=prog.elf
block start pc=0x10000 100000ef (jal main)
block main pc=0x10100 7101 b84a a0a2 be4a (addi16sp, c.fsdsp)
block handler pc=0x10400 30200073 (mret)
block main2 pc=0x10108 a0a2 a002 (c.fsdsp)
block main3 pc=0x1010c be4a (c.fsdsp)
block main4 pc=0x1010e 617d 0141 8082 (addi16sp, addi, ret)
block start2 pc=0x10004 0001
note machine start bin=0 address=0x10000
note machine main bin=0 address=0x10100
note machine main2 bin=0 address=0x10108
note machine main3 bin=0 address=0x1010c
note machine main4 bin=0 address=0x1010e
note machine handler bin=0 address=0x10400
note machine start2 bin=0 address=0x10004
hart 0 priv=M
row start
row main
trap interrupt=7 priv=M epc=0x10108
row handler
xret priv=M
row main2
row main3
trap interrupt=7 priv=M epc=0x1010e
row handler
xret priv=M
row main4
row start2
end end=power-off
END
show doubles cat
untold() { grep -v -e '^trap' -e '^xret' "$1" | sed '1a header cannot_supply=traps'; }
show doubles untold
