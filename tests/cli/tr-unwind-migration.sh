# SPDX-License-Identifier: Apache-2.0
# A thread in a system call leaves hart 0 and continues on hart 4000000000, which appears in
# the second frame; meanwhile hart 0 loses a part of its trace. Then damage: every cut and
# many flipped bytes are refused with one line, by each filter.
. "$SRC/tests/cli/tr-unwind.inc"
make_elf kernel 0xffffffff80000000 entry handler schedule switch_to idle
cat > move.txt << 'END'
header content=rows
header xlen=64
header watch=2,4
header harts=2
header bin.0=prog.elf
header bin.1=kernel.elf
block start pc=0x10000 00000013 0fc000ef (jal main)
block main1 pc=0x10100 00000013 0fc000ef (jal foo)
block foo1 pc=0x10200 00000013
block foo2 pc=0x10208 00008067 (ret)
block main2 pc=0x10108 00000013 00008067 (ret)
block start2 pc=0x10008 0001
block entry1 pc=0xffffffff80000000 0085b103 (ld sp)
block entry2 pc=0xffffffff80000004 0fc000ef (jal handler)
block entry3 pc=0xffffffff80000008 0085b103 (ld sp)
block entry4 pc=0xffffffff8000000c 10200073 (sret)
block handler1 pc=0xffffffff80000100 100000ef (jal schedule)
block handler2 pc=0xffffffff80000104 00008067 (ret)
block schedule1 pc=0xffffffff80000200 100000ef (jal switch_to)
block schedule2 pc=0xffffffff80000204 00008067 (ret)
block switch1 pc=0xffffffff80000300 0085b103 (ld sp)
block switch2 pc=0xffffffff80000304 00008067 (ret)
block idle1 pc=0xffffffff80000400 e01ff0ef (jal schedule)
block idle2 pc=0xffffffff80000404 0000006f (j .)
note 1 start bin=0 address=0x10000
note 1 main1 bin=0 address=0x10100
note 1 foo1 bin=0 address=0x10200
note 1 foo2 bin=0 address=0x10208
note 1 main2 bin=0 address=0x10108
note 1 start2 bin=0 address=0x10008
note supervisor entry1 bin=1 address=0xffffffff80000000
note supervisor entry2 bin=1 address=0xffffffff80000004
note supervisor entry3 bin=1 address=0xffffffff80000008
note supervisor entry4 bin=1 address=0xffffffff8000000c
note supervisor handler1 bin=1 address=0xffffffff80000100
note supervisor handler2 bin=1 address=0xffffffff80000104
note supervisor schedule1 bin=1 address=0xffffffff80000200
note supervisor schedule2 bin=1 address=0xffffffff80000204
note supervisor switch1 bin=1 address=0xffffffff80000300
note supervisor switch2 bin=1 address=0xffffffff80000304
note supervisor idle1 bin=1 address=0xffffffff80000400
note supervisor idle2 bin=1 address=0xffffffff80000404
hart 0 priv=U satp=0x8000000000000001 tp=0x7800 space=1
reg x2 0x7000
row start
row main1
row foo1
trap cause=8 priv=S epc=0x10204 cycles=0
row entry1
reg x4 0xffffffff81000000
reg x2 0xffffffff90001000
row entry2
row handler1
row schedule1
row switch1
reg x2 0xffffffff90002000
reg x4 0xffffffff82000000
row switch2
row schedule2
row idle2
frame
hart 0
row idle2 stall 0:40
gap reason=lost cycles=500
row idle2
hart 4000000000 cycle=30 priv=S satp=0x8000000000000001 tp=0xffffffff83000000 space=1
reg x2 0xffffffff90003000
row idle1
row schedule1
row switch1
reg x2 0xffffffff90001000
reg x4 0xffffffff81000000
row switch2
row schedule2
row handler2 stall 0:100
row entry3
reg x2 0x7000
reg x4 0x7800
row entry4
xret priv=U
row foo2
row main2
row start2
end end=power-off
END
tr-text --encode -o move.tr move.txt
tr-unwind -v move.tr > stacks.tr
tr-fold --by hart stacks.tr
tr-report functions --by thread stacks.tr

# Damage.
size=$(stat -c %s move.tr)
one_line() { # WHAT COMMAND...
	local what=$1 status=0
	shift
	"$@" > out 2> said < /dev/null || status=$?
	[ "$status" = 0 ] || { [ "$status" = 2 ] && [ "$(wc -l < said)" = 1 ]; } ||
		{ echo "$what: $*: status $status:"; head -n 3 said; }
	return "$status"
}
each() { # WHAT
	if one_line "$1" tr-unwind bad.tr; then
		cp out bad.stacks.tr
		one_line "$1" tr-fold --by hart bad.stacks.tr
	fi
	one_line "$1" tr-match --bins bins.lst bad.tr
	one_line "$1" tr-info bad.tr
	one_line "$1" tr-split-by-satp --list bad.tr
}
printf '%s\n' 'prog.elf user' 'kernel.elf kernel' > bins.lst
for ((n = 0; n < size; n += 23)); do
	head -c "$n" move.tr > bad.tr
	one_line "cut at $n" tr-unwind bad.tr && echo "cut at $n is not noticed"
done
for ((n = 0; n < size; n += 29)); do
	cp move.tr bad.tr
	printf '\xff' | dd of=bad.tr bs=1 seek="$n" conv=notrunc status=none
	each "byte $n"
done
# A hart out of range, one that does not continue where it ended, and one too many.
refused() { tr-text --encode 2>&1 > bad.tr; }
head='header content=rows\nblock a pc=0x100 00000013\n'
printf '%bhart 4294967295\nrow a\nend\n' "$head" | refused
printf '%bhart 1\nrow a\nframe\nhart 1 cycle=7\nrow a\nend\n' "$head" | refused
{
	printf '%b' "$head"
	for i in $(seq 65); do printf 'hart %d\nrow a\n' $((i * 1000)); done
	echo end
} | refused
true
