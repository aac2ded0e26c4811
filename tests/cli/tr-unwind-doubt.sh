# SPDX-License-Identifier: Apache-2.0
# Cycles on stacks in doubt, where a function is left with another sp than it was entered
# with, are counted; above one in 100,000 there is a warning.
set -o pipefail
. "$SRC/tests/cli/tr-unwind.inc"
run() { # ROW: the last row
	{
		sed '/^row start/,$d; s/^header watch=.*/header watch=2/' run.txt
		printf '%s\n' 'reg x2 0x8000' 'row start' 'row main1' 'row foo' 'row main2' \
			"row $1" 'end end=limit'
	} | tr-text --encode | tr-unwind > stacks.tr
	echo "exit $?"
	tr-fold -v stacks.tr
	tr-text stacks.tr | grep doubted
}
echo 'foo leaves sp as it was:'
run bar1
echo 'foo returns with sp 16 below:'
sed -i 's/^block foo.*/block foo pc=0x10200 ff010113 00008067/' run.txt
run bar1
echo 'the same, and 300,000 more cycles:'
run 'bar1 stall 0:300000'
