# SPDX-License-Identifier: Apache-2.0
# The first thread of a trace, whose tp becomes known in its first trap: it keeps its number,
# and the stream of stacks has its tp from there on, without probes and with them. So what it
# leaves the hart to is another thread, to which there is a switch.
. "$SRC/tests/cli/tr-unwind.inc"
sed -n 's/^header watch=4/header watch=2,4/; /^header/p' run.txt > header
grep '^block\|^note' run.txt > code
{
	cat header
	echo 'hart 0 priv=U satp=0x8000000000000001 space=1'
	cat code
	cat << 'END'
reg x2 0x3000
row start
row main1
row foo
row main2
row bar1
trap cause=8 priv=S epc=0x10304 cycles=2
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
row entry
reg x2 0xffffffff8000af00
reg x4 0xffffffff80002000
row handler
row entry2
reg x2 0x5000
xret priv=U
row bar2
end end=power-off
END
} > a.txt
tr-text --encode -o a.tr a.txt
tr-unwind -o stacks.tr a.tr
tr-text stacks.tr | grep '^thread'
tr-text stacks.tr | grep '^srow'
tr-timeline --table switches stacks.tr
tr-text stacks.tr | tr-text --encode | tr-text | cmp - <(tr-text stacks.tr) && echo 'the same text'
