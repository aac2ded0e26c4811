# SPDX-License-Identifier: Apache-2.0
# Two harts, blocks without instruction bits, notes, and two frames.
tr-text --encode > a.tr <<END
header content=rows
block a pc=0x100 .... ........
block b pc=0x200 1141 8082
note machine a bin=unknown
note supervisor b bin=0 address=0x1200
hart 0
row a
hart 7 cycle=100 priv=S satp=0x9 tp=0x8 space=2
row b stall 0:0 1:3
frame
note 2 b bin=ambiguous
hart 7 cycle=103
token 0x300 .... cycles=8/31*7
hart 0 cycle=2
row b
end
END
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
