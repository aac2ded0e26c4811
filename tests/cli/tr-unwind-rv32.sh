# SPDX-License-Identifier: Apache-2.0
# RV32: a stack that ends at 2^32 is that of the same program elsewhere, calls by c.jal,
# and processes of Sv32 whose programs, libraries and tp reach into the upper half.
elf() { # XLEN NAME ADDRESS FUNCTION...: a function every 1024 bytes
	local name=$2 address=$3 abi=lp64
	[ "$1" = 64 ] || abi=ilp32
	set -- -march=rv"$1"imac -mabi=$abi "${@:4}"
	printf '__attribute__((naked, aligned(1024))) void %s(void) { __asm__(".fill 250, 4, 0x13"); }\n' \
		"${@:3}" > "$name.c"
	riscv64-unknown-elf-gcc "$1" "$2" -ffreestanding -fno-toplevel-reorder -nostdlib -Wl,--build-id=none \
		-Wl,-e,"$3" -Wl,-Ttext="$address" -o "$name.elf" "$name.c"
}
elf 32 bare 0x80000000 _start main switch_to other leaf

# Two threads of a bare program; c.jal .+0x400 has the bits of c.addiw sp, and c.flwsp ft2
# those of c.ldsp sp.
bare() { # TOP: of the first stack
	cat << END
header content=rows
header xlen=32
header watch=2
header bin.0=bare.elf
block start pc=0x80000000 00000013
block start2 pc=0x80000004 1141 3fa000ef (jal main)
block main pc=0x80000400 1141 6102 2101 (c.jal switch_to)
block switch pc=0x80000804 0085a103 (lw sp)
block switch2 pc=0x80000808 8082 (ret)
block other pc=0x80000c00 1141 3fe000ef (jal leaf)
block leaf pc=0x80001000 00000013 8082 (ret)
block other2 pc=0x80000c06 bffff0ef (jal switch_to)
block main2 pc=0x80000406 0141 8082 (ret)
block start3 pc=0x8000000a 0141 00000013
END
	printf 'note machine %s bin=0 address=%s\n' start 0x80000000 start2 0x80000004 main 0x80000400 \
		switch 0x80000804 switch2 0x80000808 other 0x80000c00 leaf 0x80001000 other2 0x80000c06 \
		main2 0x80000406 start3 0x8000000a
	cat << END
hart 0 priv=M
row start
reg x2 $(printf '0x%x' $(($1 & 0xffffffff)))
row start2
row main
row switch
reg x2 0x80005000
row switch2
row other
row leaf
row other2
row switch
reg x2 $(printf '0x%x' $((($1 - 32) & 0xffffffff)))
row switch2
row main2
row start3
end end=power-off
END
}
for top in 0x90000000 0; do
	bare $top | tr-text --encode -o $top.tr
	tr-unwind -v $top.tr 2> $top.said | tr-fold > $top.folded
done
cat 0x90000000.folded
cmp 0x90000000.folded 0.folded
cmp 0x90000000.said 0.said
# Without sp it is inferred.
bare 0 | grep -v -e ^reg -e watch=2 | tr-text --encode | tr-unwind | tr-fold | cmp - 0.folded

# Two processes, whose programs call a library that is in no file; and the same with RV64,
# where the kernel has the whole upper half.
cat > 32.txt << 'END'
header content=rows
header xlen=32
header watch=2,4
header bin.0=prog.elf
header bin.0.role=user
header bin.1=next.elf
header bin.1.role=user
header bin.2=kernel.elf
header bin.2.role=kernel
block start pc=0x10000 00000013 3fc000ef (jal main)
block main pc=0x10400 00000013 000280e7 (jalr t0)
block library pc=0x95600000 00000013 00000073
block library2 pc=0x95600008 8082 (ret)
block main2 pc=0x10408 00000013
block work pc=0x10000 00000013 00000013 3f8000ef (jal work)
block work2 pc=0x10400 00000013 00000013 000280e7 (jalr t0)
block entry pc=0xc0000000 0085a103 (lw sp)
block entry2 pc=0xc0000004 3fc000ef (jal handler)
block handler pc=0xc0000400 400000ef (jal switch_to)
block switch pc=0xc0000800 0085a103 (lw sp)
block switch2 pc=0xc0000804 8082 (ret)
block handler2 pc=0xc0000404 8082 (ret)
block entry3 pc=0xc0000008 0085a103 (lw sp)
block entry4 pc=0xc000000c 10200073 (sret)
note 1 start bin=0 address=0x10000
note 1 main bin=0 address=0x10400
note 1 library bin=unknown
note 1 library2 bin=unknown
note 1 main2 bin=0 address=0x10408
note 2 work bin=1 address=0x10000
note 2 work2 bin=1 address=0x10400
note 2 library bin=unknown
note supervisor entry bin=2 address=0xc0000000
note supervisor entry2 bin=2 address=0xc0000004
note supervisor handler bin=2 address=0xc0000400
note supervisor switch bin=2 address=0xc0000800
note supervisor switch2 bin=2 address=0xc0000804
note supervisor handler2 bin=2 address=0xc0000404
note supervisor entry3 bin=2 address=0xc0000008
note supervisor entry4 bin=2 address=0xc000000c
hart 0 priv=U satp=0x80480123 space=1
reg x4 0x95700000
reg x2 0x9dbff000
row start
row main
row library
trap cause=8 priv=S epc=0x95600004 cycles=1
row entry
reg x4 0xc1000000
reg x2 0xc2001000
row entry2
row handler
row switch
reg x2 0xc2003000
reg x4 0xc1002000
row switch2
satp 0x80880456 space=2
row handler2
row entry3
reg x4 0x95710000
reg x2 0x9dbfe000
row entry4
xret priv=U
row work
row work2
row library
trap cause=8 priv=S epc=0x95600004 cycles=1
row entry
reg x4 0xc1002000
reg x2 0xc2003000
row entry2
row handler
row switch
reg x2 0xc2001000
reg x4 0xc1000000
row switch2
satp 0x80480123 space=1
row handler2
row entry3
reg x4 0x95700000
reg x2 0x9dbff000
row entry4
xret priv=U
row library2
row main2
end end=power-off
END
sed -E 's/0x(c[0-9a-f]{7})/0xffffffff\1/; s/0x9([5d][0-9a-f]{6})/0x3fff\1/; s/satp=0x80/satp=0x80000000/
	s/xlen=32/xlen=64/; s/^satp 0x80/satp 0x80000000/; s/0085a103 .lw/0085b103 (ld/' 32.txt > 64.txt
profile() { # XLEN
	tr-text --encode -o "$1.tr" "$1.txt"
	tr-unwind -o stacks.tr "$1.tr"
	tr-fold --by process stacks.tr
	tr-report functions --by thread stacks.tr
	# Without privileges and traps, those of the files and of the addresses.
	sed -E 's/^header watch.*/&\nheader cannot_supply=priv,traps/; /^(trap|xret)/d
		s/^note supervisor (.*)/note 1 \1\nnote 2 \1/' "$1.txt" | tr-text --encode | tr-unwind | tr-fold
}
for xlen in 32 64; do
	upper=c0000000
	[ $xlen = 32 ] || upper=ffffffffc0000000
	elf $xlen prog 0x10000 _start main
	elf $xlen next 0x10000 _start work
	elf $xlen kernel 0x$upper entry handler switch_to
	profile $xlen > $xlen.out 2> $xlen.err
done
cat 32.out
cmp 32.out 64.out
cmp 32.err 64.err
tr-info 32.tr | sed -n '/^contexts/,/^end/p'
tr-unwind 32.tr 2> /dev/null | tr-timeline --format svg | grep -o '#[0-9]* [^<]*' | sort -u
# A shared object with a linkage table, whose place is not told.
cat > lib.c << 'END'
int outside(int);
int work(int v)
{
	int sum = 0;
	for (int i = 0; i < v; i++)
		sum += outside(i) * 3 + (sum ^ i);
	return sum;
}
END
riscv64-linux-gnu-gcc -march=rv32imac -mabi=ilp32 -O1 -fPIC -shared -nostdlib -Wl,--build-id=none -o lib.so lib.c
code() { # FUNCTION COUNT: a block of its first instructions
	riscv64-linux-gnu-objdump -d lib.so | awk -v name="<$1>:" -v count="$2" '
		$2 == name { pc = $1; on = 1; next }
		on && $1 ~ /:$/ && n++ < count { text = text " " $2 }
		END { print "pc=0x956" substr(pc, 4) text }'
}
{
	printf '%s\n' 'header content=rows' 'header xlen=32' "block work $(code work 6)" \
		"block stub $(code outside@plt 3)" 'hart 0 priv=U satp=0x80480123' 'row work' \
		'trigger start' 'row stub' end
} | tr-text --encode -o lib.tr
echo 'lib.so user' > bins.lst
tr-match --bins bins.lst -o matched.tr lib.tr
tr-unwind matched.tr 2> /dev/null | tr-fold
tr-info matched.tr | sed -n '/^code found/,/^end/p'
