# SPDX-License-Identifier: Apache-2.0
# The trace port: classes of lost commit slots. Commits and lost slots add up to the width in
# each cycle, through the last commit.
reasons() { "$BIN/../tests/reasons" "$@"; }
show() { tr-text --tokens "$1" | grep -v '^header \(pg\|source\)'; }

# Cycle 10 is the first; slots of cycle 9 are not in the stream. Slot 1 of cycle 12 is not told.
# The trap of cycle 14 loses its own slot, and the slots behind the last commit are a gap's.
cat > four << 'END'
lose 0 9 1 4
lose 0 10 2 1
commit 0 10 0x1000 0x00000013
commit 0 10 0x1004 0x00000013
lose 0 10 1 1
lose 0 11 1 3
lose 0 11 2 1
commit 0 12 0x1008 0x00000013
lose 0 12 3 2
lose 0 13 3 4
lose 0 14 1 1
commit 0 14 0x100c 0x00000000 3
lose 0 14 2 2
commit 0 15 0x2000 0x00000013
lose 0 15 2 11
commit 0 18 0x2004 0x00000013
lose 0 18 1 3
end 20
END
reasons four.tr 4 frontend.icache,memory,trap < four
show four.tr
# The same without instructions
reasons plain.tr 4 frontend.icache,memory,trap 32 < four
show plain.tr | grep '^token'
# More than 64 runs: those of a class are joined.
awk 'BEGIN {
	print "commit 0 1 0x1000 0x13"
	for (i = 2; i < 202; i++) print "lose 0", i, 1 + i % 2, 1
	print "commit 0 202 0x1004 0x13"; print "end 202" }' | reasons joined.tr 1 a,b
show joined.tr | grep '^token'
# Slots that a run cannot tell
printf '%s\n' 'commit 0 1 0x1000 0x13' 'lose 0 2 1 10000000000' 'commit 0 10000000002 0x1004 0x13' 'end 10000000002' |
	reasons long.tr 1 a
show long.tr | grep '^token'

refuse() { # WIDTH CLASSES LINE...
	local width=$1 classes=$2
	shift 2
	printf '%s\n' "$@" | reasons bad.tr "$width" "$classes" && echo "not refused: $*" || echo "status $?"
} 2>&1
first='commit 0 5 0x1000 0x13'
refuse 1 a "$first" 'lose 0 5 1 1'
refuse 2 a "$first" 'lose 0 5 1 1' 'commit 0 5 0x1004 0x13'
refuse 2 a "$first" "$first" "$first"
refuse 2 a "$first" 'lose 0 6 1 3' 'lose 0 6 1 1'
refuse 2 a "$first" 'lose 0 6 1 3' 'commit 0 6 0x1004 0x13'
refuse 2 a "$first" 'lose 0 6 2 1'
refuse 2 a "$first" 'commit 0 6 0x1004 0x0 2'
refuse 2 '' "$first" 'lose 0 6 1 1'
refuse 2 a "$first" 'lose 0 6 1 9223372036854775808'
refuse 2 a,,b "$first"
refuse 2 a,a "$first"
refuse 2 'a b' "$first"
refuse 2 'a;b' "$first"
refuse 2 "$(seq -s, 32)" "$first"
refuse 70000 a "$first"
# Without classes slots are not counted.
refuse 1 '' "$first" "$first" 'end 6'
