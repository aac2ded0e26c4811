# SPDX-License-Identifier: Apache-2.0
# The first token or event that differs, with its context. How a stream is cut, compressed
# and annotated does not matter.
cat > base.txt << 'END'
header content=rows
header xlen=64
header pg=one	1	one
block boot pc=0x80000000 00000297 00008067
block work pc=0x10074 1141 e406 00000097 000080e7
hart 0
row boot
satp 0x8000000000080123
xret priv=U
row work x3
row work stall 2:17
trap cause=8 priv=S epc=0x10080 cycles=2
row work
mark data=6869
end end=power-off
END
tr-text --encode -u -o base.tr base.txt
same() {
	rm -f other.tr
	sed "$1" base.txt | tr-text --encode -o other.tr
	tr-diff base.tr other.tr
	echo "exit $?"
}
same ''
same 's/^row work x3/row work\nframe 1\nrow work\nspace 3\nrow work/; s/pg=one/pg=two/'
same 's/^row work x3/row work x2\ntoken 0x10074 1141\ntoken 0x10076 e406\
token 0x10078 00000097\ntoken 0x1007c 000080e7/'
same 's/^header xlen=64/&\nheader counters.0=a,b/; s/^row work x3/row work\ncounters 0 | a=1 b=2\nrow work x2/'
for change in 's/^row work x3/row work x2/' 's/2:17/2:18/' 's/2:17/2:17\/3*12\/5*4/' 's/e406/e40e/' \
	's/0x8000000000080123/0x8000000000080124/' 's/cause=8/cause=9/' 's/cycles=2/cycles=3/' \
	's/cycles=2/&\/4*2/' \
	's/6869/6868/' 's/^row work$/row work\nrow boot/' '/^mark/d'; do
	echo "# $change"
	same "$change"
done
tr-diff -@2 -o out base.tr other.tr
echo "exit $?"
tail -n 2 out
