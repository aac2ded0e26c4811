# SPDX-License-Identifier: Apache-2.0
# Two consecutive traps are two calls of the handler, even if cycles are charged to its
# source lines.
. "$SRC/tests/cli/tr-unwind.inc"
sed 's/^xret priv=U$/&\
trap cause=8 priv=S epc=0x10308 cycles=2\
reg x4 0xffffffff80001000\
row entry\
row handler\
row entry2\
xret priv=U/' run.txt > twice.txt
tr-text --encode -o twice.tr twice.txt
tr-unwind twice.tr | tr-report functions > plain
tr-unwind --lines -o lines.tr twice.tr
tr-report functions lines.tr | tee lines
cmp plain lines
tr-text lines.tr | grep -A20 '^hart'
