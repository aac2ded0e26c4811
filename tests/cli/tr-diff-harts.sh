# SPDX-License-Identifier: Apache-2.0
# Two harts: frames may be cut at different places, and the earliest difference in time is
# reported.
cat > base.txt << 'END'
header harts=2
block a pc=0x80000000 0001 0001 0001 0001
block b pc=0x80001000 0001 a001
frame 0
hart 0
row a x2
hart 1
row b x4
frame 1
hart 0
row a x2
hart 1
row b x4
end end=power-off
END
tr-text --encode -o base.tr base.txt
compare() {
	tr-text --encode -o other.tr
	tr-diff base.tr other.tr
	echo "exit $?"
}
sed '/^frame/d' base.txt | compare
grep -v frame base.txt | sed '0,/^row b x4/s//row b x2\nframe 9\nrow b x2/' | compare
# Hart 1 differs in its second row, hart 0 in its last.
sed '0,/^row b x4/s//row b\nrow b stall 0:2\nrow b x2/; $!b' base.txt | compare
sed '/^frame 1/,$s/^row a x2/row a\nrow a stall 1:5/' base.txt | compare
sed '/^hart 1/,/^row/d' base.txt | compare
