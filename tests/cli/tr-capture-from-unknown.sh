# SPDX-License-Identifier: Apache-2.0
# A log of no known format: the message names the formats, and why the nearest does not fit.
try() {
	cat > "$1"
	tr-capture -o a.tr "$1"
	echo "status $?"
}
try other << 'END'
root:x:0:0:root:/root:/bin/sh
END
try spike << 'END'
warning: something
core   0: pc 0x0000000080000000 (0x00016117) x2  0x0000000080016000
END
try spike-hart << 'END'
core 1000: 3 0x0000000080000000 (0x00016117)
END
try commits << 'END'
3 0x0000000080000000 00016117 x2  0x0000000080016000
END
try execlog << 'END'
0, 80000000, 297, "auipc t0,0"
END
try tracerv << 'END'
Cycle 0000000000000100 I0: 0000000080000000
END
try ibex << 'END'
20	4	00000080	xyz	auipc	x2,0x16	 x2=0x00016080
END
printf 'no end of a line' | try short
printf '\n\n \n' | try blank
head -c 100 /dev/zero | try binary
gzip -c other > other.gz
tr-capture -o a.tr other.gz
echo "status $?"
# A pipe cannot be read twice, so its log is not recognised.
printf 'core   0: 3 0x0000000080000000 (0x00000013)\n' | tr-capture -o a.tr || echo "pipe: $?"
