# SPDX-License-Identifier: Apache-2.0
# Instructions that cannot follow the one before are counted, with the first place: a log
# without damage has none, and each kind of damage has some. Interrupts, a system call and a
# reset are no breaks, whether the source tells traps or not.

# A run of a program: main calls f in a loop, and is interrupted now and then.
run() { # LINES TRAPS: 1 if the source tells traps
	awk -v lines="$1" -v traps="$2" '
	function put(pc, bits) {
		printf "core   0: 3 0x%016x (0x%s)\n", base + pc, bits
		if (++n == lines) exit
	}
	function interrupt(pc) {
		if (traps)
			printf "core   0: exception interrupt #7, epc 0x%016x\n", base + pc
		put(512, "34011073"); put(516, "00000013"); put(520, "30200073")
	}
	BEGIN {
		base = 2147483648
		put(0, "00000013"); put(4, "0fc000ef") # jal 0x100
		for (i = 0; ; i++) {
			put(256, "1141"); put(258, "1fe000ef") # jal 0x300
			put(768, "00000013"); put(772, "00158593"); put(776, "00000013"); put(780, "00008067")
			if (i % 16 == 5) interrupt(262)
			put(262, "0141")
			if (i % 16 == 9) interrupt(264)
			put(264, "fe051ce3") # bnez 0x100
			if (i % 16 == 12) interrupt(256)
		}
	}'
}
try() { # WHAT LOG OPTION...
	local status=0
	tr-capture -o "$2.tr" "${@:3}" "$2" 2> said || status=$?
	echo "$1: status $status"
	sed 's/.*: \([0-9]* of [0-9]* instruction.* on hart [0-9]*\):.*/  \1/' said
}
run 12000 0 > untold.log
run 12000 1 > told.log
try 'no damage, traps are not told' untold.log
try 'no damage, traps are told' told.log
tr-info --check told.log.tr > out
echo "tr-info --check: status $?"
{ cat told.log; run 500 1; } > reset.log
try 'a reset' reset.log
head -n 6000 told.log | sed '5000d' > lost-line.log
try 'a lost line' lost-line.log
head -n 400 untold.log | sed '348d' > lost-late.log
try 'a lost line near the end, traps are not told' lost-late.log
sed '300,309d' told.log > lost-block.log
try 'ten lost lines' lost-block.log
sed '/^core   0: exception/d' told.log | sed -n 'p; 4001p' > doubled.log
try 'a doubled line' doubled.log
sed '3000s/0x0000000080000/0x0000000088000/' untold.log > flipped.log
try 'a flipped bit' flipped.log
sed 'N; s/\(.*\)\n\(.*\)/\2\n\1/' untold.log > swapped.log
try 'swapped lanes' swapped.log
run 12000 0 | sed 's/(0x1141)/(0xff010113)/; s/(0x0141)/(0x01010113)/' > expanded.log
try 'expanded instructions' expanded.log
tail -n +4 untold.log | paste -d '\n' untold.log - | sed '/^$/d' > mixed.log
try 'two harts in one log' mixed.log
sed -e 1b -e '/^core   0: exception/d' told.log > stuck.log
{ head -n 1 told.log; echo 'core   0: 0x0000000080000004 (0x00000073) ecall'
	sed 1d stuck.log; } > stuck-told.log
try 'interrupts are not told, but exceptions are' stuck-told.log
sed '/30200073/d' untold.log > no-xret.log
try 'no mret' no-xret.log
{ cat untold.log; run 12000 0 | tail -n +50; } > appended.log
try 'the end of another run' appended.log

# An instruction that cannot commit, behind each system call.
cat > unimp.txt << 'END'
header content=rows
header xlen=64
header watch=2
hart 0 priv=M
token 0x80000000 00000013
trap cause=11 priv=M epc=0x80000004
token 0x80000008 0000
token 0x80000200 00000013
token 0x80000204 30200073
xret priv=M
token 0x80000008 00000013
end
END
tr-text --encode -o unimp.tr unimp.txt
echo "an instruction behind a system call: status $?"
tr-info --check unimp.tr | sed -n '/^breaks/,/^contexts/p'
# A trap elsewhere than control was
sed '/0000$/d; s/epc=0x80000004/epc=0x80000014/' unimp.txt | tr-text --encode -o epc.tr
echo "a trap elsewhere: status $?"
# The count reaches the filters behind, and --force accepts it.
tr-capture --force -o forced.tr swapped.log 2> /dev/null
echo "--force: status $?"
tr-capture forced.tr > copy.tr 2> /dev/null
echo "a copy: status $?"
tr-info copy.tr | sed -n '/^findings/,$p'
tr-text --encode --force -o again.tr <(tr-text forced.tr) 2> /dev/null
tr-text forced.tr | cmp - <(tr-text again.tr)
tr-info --check forced.tr > list
echo "tr-info --check: status $?"
grep -c '0x.*0x' list
# One before a row with events inside is marked behind the row, and counts once.
cat > inner.txt << 'END'
header content=rows
header xlen=64
token 0x80000000 00000013
token 0x80000010 00000013
mmio-load address=0x2000000 size=4 value=0x0
token 0x80000014 0002a303
token 0x80000010 00000013
end
END
tr-text --encode -o inner.tr inner.txt
echo "events inside a row: status $?"
tr-info --check inner.tr | sed -n '/^breaks/,/^contexts/p'
