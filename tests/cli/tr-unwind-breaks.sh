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
