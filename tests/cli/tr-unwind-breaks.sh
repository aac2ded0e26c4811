# SPDX-License-Identifier: Apache-2.0
# Behind a break of continuity the stacks are in doubt, until a return to a function that
# was open before it shows that they are right again.
. "$SRC/tests/cli/tr-unwind.inc"
doubt() { # WHAT: the stream's text comes in
	tr-text --encode --force -o broken.tr
	tr-unwind broken.tr > stacks.tr 2> said
	echo "$1: $(tr-text stacks.tr | grep doubted)"
	cat said
	tr-fold stacks.tr
}
doubt 'no break' < run.txt
# The first instruction of foo is lost: foo is in doubt, main and what follows are not.
sed 's/^block foo pc=0x10200 00000013 /block foo pc=0x10204 /; s/foo bin=0 address=0x10200/foo bin=0 address=0x10204/
	s/^row foo.*/row foo/' run.txt |
	doubt 'in a function'
# An instruction in the middle of foo is lost: its end is in doubt, main is not.
sed 's/^block foo pc=.*/block foo pc=0x10200 00000013\nblock rest pc=0x10208 00008067/
	s/^note 1 foo .*/&\nnote 1 rest bin=0 address=0x10208/; s/^row foo.*/row foo\nrow rest stall 0:5/' run.txt |
	doubt 'in the middle of a function'
# The handler's call is lost: in doubt until the trap returns.
sed '/^row entry$/d; s/^row handler/row entry2b\n&/; s/^block bar2/block entry2b pc=0xffffffff80000000 00000013\nnote supervisor entry2b bin=1 address=0xffffffff80000000\n&/' run.txt |
	doubt 'in a trap'
# What main did after its call is lost, and no return follows.
sed '/^row main2/d; /^trap/,/^xret/d; /^row bar1/d; s/^row start2/& stall 0:7/' run.txt |
	doubt 'without a return'
# Lines are lost at the end of foo, and again in main: the return of bar to main shows nothing
# of what main did between, that of main does.
cat > twice.txt << 'END'
header content=rows
header xlen=64
header watch=4
header bin.0=prog.elf
hart 0 priv=U satp=0x8000000000000001 space=1
block start pc=0x10000 00000013 0fc000ef (jal main)
block main1 pc=0x10100 00000013 0fc000ef (jal foo)
block foo pc=0x10200 00000013
block main2 pc=0x10110 00000013
block main3 pc=0x10120 00000013 1dc000ef (jal bar)
block bar pc=0x10300 00000013 00008067 (ret)
block main4 pc=0x10128 00000013 00008067 (ret)
block start2 pc=0x10008 0001
note 1 start bin=0 address=0x10000
note 1 main1 bin=0 address=0x10100
note 1 foo bin=0 address=0x10200
note 1 main2 bin=0 address=0x10110
note 1 main3 bin=0 address=0x10120
note 1 bar bin=0 address=0x10300
note 1 main4 bin=0 address=0x10128
note 1 start2 bin=0 address=0x10008
row start
row main1
row foo
row main2
row main3
row bar
row main4
row start2
end end=power-off
END
doubt 'twice, in two functions' < twice.txt
