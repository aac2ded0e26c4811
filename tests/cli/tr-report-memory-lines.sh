# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by line: lines of two harts, which count their own accesses: one that both
# update, one of which each has its own half, one that both only read.
cat > two.S << 'END'
	.globl	test
	.type	test, @function
test:	la	s4, counter
	csrr	t0, mhartid
	slli	t0, t0, 3
	la	s5, halves
	add	s5, s5, t0
	la	s6, table
	li	s2, 3000
1:	amoadd.d zero, s2, (s4)
	sd	s2, (s5)
	lw	t1, 4(s6)
	ld	t1, (s5)
	addi	s2, s2, -1
	bnez	s2, 1b
	ret
	.size	test, . - test
	.bss
	.balign	64
counter: .zero	64
halves:	.zero	64
table:	.zero	64
END
. "$SRC/tests/cli/two-harts.inc"
two_harts two.S
tr-replay --stream --accesses two.tr two.elf | tr-match --bins two.elf > two-accesses.tr
tr-report memory --by line --format csv two-accesses.tr > lines.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "lines" { name[$at["physical"]] = $at["object"] }
	$1 == "lines" && $at["object"] ~ /counter|halves|table/ { print $at["object"], $at["sharing"], "harts", $at["harts"], "loads", $at["loads"],
		"stores", $at["stores"], "atomics", $at["atomics"], "moves:", ($at["moves"] > 1000 ? "many" : $at["moves"]) }
	$1 == "line_uses" && name[$at["physical"]] ~ /counter|halves|table/ { print name[$at["physical"]], "offset", $at["offset"], "hart", $at["hart"],
		"loads", $at["loads"], "stores", $at["stores"], "atomics", $at["atomics"] }' lines.csv | sort
# Each time the line changes hands in the order of the commits: counted from the tokens.
counter=$(riscv64-unknown-elf-nm two.elf | awk '$3 == "counter" { print "0x" $1 }')
tr-text --tokens two-accesses.tr | sed -n "s/^token.* hart=\([01]\) cycle=\([0-9]*\) .*(amo . at $(printf '0x%x' "$counter")).*/\2 \1/p" | sort -n -k1,1 -k2,2 |
	awk 'NR > 1 && $2 != last { n++ } { last = $2 } END { print n }' |
	cmp - <(awk -F, '$1 == "lines" && /,counter,/ { print $2 }' lines.csv) && echo 'moves as in the order of commits'
# The same of a line that each hart stores to and loads from: a store moves it while the other hart has a copy
# (1 and 2 stand for the harts, 3 for both), a load if the own hart has none.
halves=$(riscv64-unknown-elf-nm two.elf | awk '$3 == "halves" { print "0x" $1 }')
tr-text --tokens two-accesses.tr | sed -n "s/^token.* hart=\([01]\) cycle=\([0-9]*\) .*(\(load\|store\) 8 at $(printf '0x%x' "$halves" | sed 's/.$//')[08]).*/\2 \1 \3/p" |
	sort -n -k1,1 -k2,2 |
	awk '{ own = $2 + 1; other = 3 - own; has_own = copies == own || copies == 3; has_other = copies == other || copies == 3
		if ($3 == "store") { n += has_other; copies = own } else { n += has_other && !has_own; if (!has_own) copies += own } }
		END { print n }' |
	cmp - <(awk -F, '$1 == "lines" && /,halves,/ { print $2 }' lines.csv) && echo 'moves by loads and stores'
tr-report memory --by line --line 8 --limit 1 two-accesses.tr | sed -n 3p | awk '{ print $NF, $8 }'
