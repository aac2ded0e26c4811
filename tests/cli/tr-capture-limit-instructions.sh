# SPDX-License-Identifier: Apache-2.0
# For each N: the first N tokens, also in the middle of a row, on two harts in order of
# cycles.
tr-text --encode > a.tr <<END
header content=rows
block a pc=0x1000 1141 1141 8082
block b pc=0x2000 1141 00000013 1141 8082
hart 0 cycle=10 priv=S satp=0x5
row a stall 0:3 2:0
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
tr-text --tokens a.tr | grep ^token > all
sed -E 's/.*hart=([0-9]+) cycle=([0-9]+).*/\2 \1 &/' all | sort -s -k1,1n -k2,2n | cut -d' ' -f3- > ordered
total=$(wc -l < ordered)
for ((n = 0; n <= total; n++)); do
	tr-capture --max-instructions "$n" a.tr > b.tr || echo "status $?"
	tr-text --tokens b.tr | grep ^token | sort | cmp - <(head -n "$n" ordered | sort) || echo "not so: $n"
	tr-text b.tr | grep ^end | head -1
done | uniq -c
tr-capture --no-provenance --max-instructions 12 a.tr | tr-text
