# SPDX-License-Identifier: Apache-2.0
# Traps of one name are one row, whatever their causes: environment calls from user code and
# from the kernel, and its timer interrupts in S-mode and in M-mode. Those of different names
# have a row each.
. "$SRC/tests/cli/tr-unwind.inc"
grep -v '^row\|^trap\|^reg\|^xret\|^end' run.txt > a.txt
cat >> a.txt << 'END'
block sbi pc=0x80000000 30200073 (mret)
row start
row main1
row foo
row main2
row bar1
trap cause=8 priv=S epc=0x10304 cycles=2
reg x4 0xffffffff80001000
row entry
trap cause=9 priv=M epc=0xffffffff80000100 cycles=3
row sbi
xret priv=S
trap interrupt=5 priv=S epc=0xffffffff80000100 cycles=10
row entry2
xret priv=S
trap interrupt=7 priv=M epc=0xffffffff80000100 cycles=20
row sbi
xret priv=S
row handler
row entry2
xret priv=U
trap cause=13 priv=S epc=0x10308 cycles=40
row entry2
xret priv=U
row bar2
row start2
end end=power-off
END
tr-text --encode -o a.tr a.txt
tr-unwind -o stacks.tr a.tr
tr-report functions --format csv stacks.tr | awk -F, 'NR == 1 || /trap/' | cut -d, -f1,2,4,12-
tr-fold stacks.tr | grep '\[' | cut -d ' ' -f1
