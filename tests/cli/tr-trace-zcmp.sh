# SPDX-License-Identifier: Apache-2.0
# The trace port: writes of sp by cm.push and cm.popret are reported, and the address after
# what may be a return, to which an interrupt returns, is that of next_pc, or unknown.
. "$SRC/tests/cli/tr-unwind-zcmp.inc"
build calls -march=rv32imac -Wa,-mno-arch-attr
run calls zcmp
grep ': 3 ' calls.log | awk '{
		rd = "0 0"
		for (i = 6; i < NF; i += 2) if ($i == "x2") rd = "2 " $(i + 1)
		if (NR > 1) print before, $4, rest, "0"
		before = $4
		rest = $5 " " rd
		gsub(/[()]/, "", rest)
	} END { print before, 0, rest, "0" }' > commits
"$BIN/../tests/commits" run.tr < commits
tr-text run.tr | grep -c '^reg x2'
tr-match --bins calls.elf run.tr 2> /dev/null | tr-unwind -v 2> /dev/null | tr-fold
# cm.popret returns to where the newest interrupt did, as no mret would: a reentrant function.
"$BIN/../tests/commits" run.tr << 'END'
0x100 0x102 0xbe42 2 0x8000 0
0x200 0x102 0xbe42 0 0 1
0x102 0 0xbe42 0 0 0
0x300 0x302 0x0001 0 0 1
0x302 0x306 0x30200073 0 0 0
0x106 0x10a 0x00000013 0 0 0
END
tr-text --tokens run.tr | grep -v ^header
