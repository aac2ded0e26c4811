# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by time: the distinct lines and pages of each slice of a run are those of its
# tokens, of firmware, kernel and user code, and of two harts.
target=$SRC/build/target
expected() { # EVERY: the slices of a text of tokens
	awk -v every="$1" 'function hex(text, n, i) { for (i = 1; i <= length(text); i++) n = n * 16 + index("123456789abcdef", substr(text, i, 1)); return n }
	/^token.*[(]/ { for (i = 1; i <= NF; i++) if (sub(/^cycle=/, "", $i)) slice = int($i / every)
		sub(/.*[(]/, ""); sub(/ device/, ""); sub(/[)]/, ""); at = $NF; size = length(at)
		line = substr(at, 1, size - 2) int(hex(substr(at, size - 1)) / 64); page = substr(at, 1, size - 3)
		n[slice]++; if (slice > most) most = slice
		if (!((slice, line) in inside)) { inside[slice, line] = 1; lines[slice]++ }
		if (!((slice, page) in within)) { within[slice, page] = 1; pages[slice]++ } }
	END { for (i = 0; i <= most; i++) if (n[i]) print i * every, lines[i], pages[i], n[i] }'
}
compare() { # STREAM EVERY
	tr-text --tokens "$1" | expected "$2" > wanted.txt
	tr-report memory --by time --every "$2" --format csv "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["from_cycle"], $at["lines"], $at["pages"], $at["loads"] + $at["stores"] + $at["atomics"]; sum += $at["new_lines"] }
		END { print sum > "new" }' | cmp - wanted.txt && echo "the same, several slices: $(($(wc -l < wanted.txt) > 2))"
	tr-report memory "$1" | sed -n "1s/.* to \([0-9]*\) lines.*/\1/p" | cmp - new && echo 'each line is new once'
}
soc-sim --trace run.tr "$target/firmware.elf" "$target/hello.elf" > /dev/null
tr-replay --stream --accesses run.tr "$target/firmware.elf" "$target/hello.elf" | tr-match --bins "$target/bins.lst" > accesses.tr
compare accesses.tr 100000
cat > two.S << 'END'
	.globl	test
test:	la	s4, area
	csrr	t0, mhartid
	slli	t0, t0, 14
	add	s4, s4, t0
	li	s2, 60000
1:	andi	t0, s2, 0x3ff
	slli	t0, t0, 4
	add	t0, s4, t0
	sd	s2, (t0)
	addi	s2, s2, -1
	bnez	s2, 1b
	ret
	.bss
	.balign	64
area:	.zero	65536
END
. "$SRC/tests/cli/two-harts.inc"
two_harts two.S
tr-replay --stream --accesses two.tr two.elf | tr-match --bins two.elf > two-accesses.tr
compare two-accesses.tr 100000
tr-report memory --by time --every 99999 accesses.tr
tr-report memory --every 1M accesses.tr
