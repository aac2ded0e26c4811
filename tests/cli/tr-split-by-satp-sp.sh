# SPDX-License-Identifier: Apache-2.0
# sp is known at each token of a part as well: it is reported again wherever it differs
# from the value that the part's own instructions give.
cat > all.txt << 'END'
header content=rows
header xlen=64
header watch=2,4
block user pc=0x10000 1141 0105 00000073
block more pc=0x10008 6105 8082
block kernel pc=0x80001000 7139 8082
block back pc=0x80002000 6121 10200073
hart 0 satp=0x8000000000000001 priv=U
reg x2 0x7000
row user
trap cause=8 priv=S epc=0x10008
reg x2 0xffff0000
row kernel
row back
reg x2 0x6ff1
xret priv=U
row more x2
trap cause=8 priv=S epc=0x10008
reg x2 0xffff0000
row kernel x2
xret priv=U
row more
end end=power-off
END
tr-text --encode -u -o all.tr all.txt
# With XLEN 32 it wraps: a stack below 2^32 begins with 0.
sed 's/xlen=64/xlen=32/; s/^reg x2 0x7000/reg x2 0x0/; s/0x6ff1/0xfffffff1/' all.txt |
	tr-text --encode -u -o low.tr
for priv in u s; do
	echo "# $priv, XLEN 32"
	tr-split-by-satp --priv $priv low.tr | tr-text | grep -E '^reg'
done
for priv in u s; do
	echo "# $priv"
	tr-split-by-satp --priv $priv all.tr | tr-text | grep -E '^(row|reg|trap|xret|gap|priv)'
done
