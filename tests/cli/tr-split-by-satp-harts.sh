# SPDX-License-Identifier: Apache-2.0
# Two harts that share an address space, watched registers, stalls of zero cycles.
tr-text --encode -o a.tr <<END
header content=rows
block a pc=0x1000 1141 1141 8082
block b pc=0x2000 1141 00000013 1141 8082
hart 0 cycle=10 priv=S satp=0x5
row a stall 0:3 2:0
reg x27 0x77
trap cause=8 priv=M cycles=4
row b x2
hart 3 priv=U satp=0x6
gap cycles=9 reason=reset
row b stall 1:0 2:5
reg x4 7
satp 5
row b stall 0:7/1*1
frame
hart 0
satp 6
row a
hart 3
row a
end
END
tr-split-by-satp --no-provenance -d parts a.tr
for part in parts/*; do
	echo "--- $part"
	tr-text "$part"
done
