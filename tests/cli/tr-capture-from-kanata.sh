# SPDX-License-Identifier: Apache-2.0
# Kanata, the log of pipelines for the viewer Konata: retired instructions with their cycles,
# and the stage of the oldest instruction as the class of lost slots.
tab() { sed 's/ | /\t/g'; }
show() { # OPTION...
	tr-capture "$@" -o a.tr
	tr-text --tokens a.tr | grep -vE '^(header (pg|content|precision)|frame)'
}
# Two instructions retire in a cycle. The third one is flushed; slots behind what retires, and
# those of cycles 220 to 222, are lost to the stage of the oldest one; then there is none.
sed 's|F$|F       // it is fetched|' "$SRC/tests/cli/data/logs/kanata.log" > pipe.log
show pipe.log
# As a pipe, of which the format must be named, and with a limit, with which there are no classes
cat pipe.log | tr-capture --from kanata | tr-text --tokens | grep ^token > piped
tr-text --tokens a.tr | grep ^token | cmp - piped
show --max-instructions 2 pipe.log | grep -E '^(header (cannot|classes)|token)'

# Forms of labels, of two threads; a label may come in pieces
tab > forms.log << 'END'
Kanata | 0004
I | 10 | 0 | 0
L | 10 | 0 | 0x80000000 : (00100513) li
L | 10 | 0 |  a0, 1
I | 11 | 1 | 1
L | 11 | 0 | ffffffff80000000 0x0505 c.addi
I | 12 | 2 | 0
L | 12 | 0 | 80000004: [0x00100513] li
I | 13 | 3 | 0
L | 13 | 1 | 12
L | 13 | 0 | 80000008 fadd ft0
C | 3
R | 10 | 0 | 0
R | 11 | 0 | 0
C | 1
R | 12 | 0 | 0
C | 1
R | 13 | 0 | 0
END
show forms.log
# Addresses alone, of a machine with XLEN 32
tab << 'END' > plain.log
Kanata | 0004
I | 0 | 0 | 0
L | 0 | 0 | 80000000: c.addi a0, 1
S | 0 | 0 | Stage, one/two
I | 1 | 1 | 0
L | 1 | 0 | 80000002: fadd.s ft0, ft0, ft0
C | 5
R | 0 | 0 | 0
C | 2
R | 1 | 0 | 0
END
show --xlen 32 plain.log

# More than at the log's beginning retire in a cycle.
awk 'BEGIN {
	print "Kanata\t0004"
	for (i = 0; i < 20000; i++) {
		printf "I\t%d\t%d\t0\nL\t%d\t0\t%x: 00000013 nop\n", i, i, i, 65536 + 4 * i
		if (i % 2 && i < 19990) printf "R\t%d\t0\t0\nR\t%d\t0\t0\nC\t1\n", i - 1, i
	}
	for (i = 19990; i < 20000; i++) printf "R\t%d\t0\t0\n", i
}' > wide.log
tr-capture -o wide.tr wide.log
tr-text --tokens wide.tr | tail -n 4

refuse() { # LINE...
	{ printf 'Kanata | 0004\n'; printf '%s\n' "$@"; } | tab > bad.log
	tr-capture -o bad.tr bad.log && echo "not refused: $*" || echo "status $?"
} 2>&1
first='I | 0 | 0 | 0'
label='L | 0 | 0 | 80000000: 00000013 nop'
retire='R | 0 | 0 | 0'
refuse "$first" "$retire"
refuse "$first" "$label" "$retire" "$retire"
refuse "$first" "$label" "$first"
refuse "$first" "$label" 'I | 70000 | 0 | 0'
refuse "$first" "$label" 'I | 1 | 1 | 64'
refuse "$first" "$label" 'C | x'
refuse 'C= | 5' 'C= | 4' "$first" "$label" "$retire"
refuse "$first" "$label" 'C | 9000000000000000000' "$retire"
refuse "$first" "$label" 'Q | 0' "$retire"
refuse "$first" "$label" 'S | 0' "$retire"
refuse 'Kanata | 0005' "$first" "$label" "$retire"
refuse "$first" "$label"
awk 'BEGIN { print "Kanata\t0004"; for (i = 0; i <= 65536; i++) printf "I\t%d\t0\t0\n", i }' > full.log
tr-capture -o full.tr full.log 2>&1 || echo "status $?"
tr-capture -o two.tr pipe.log forms.log 2>&1 || echo "status $?"
# The last line is cut: it counts if it is whole.
for last in 'R | 0 | 0' "$retire"; do
	printf '%s\n' 'Kanata | 0004' "$first" "$label" 'I | 1 | 1 | 0' "${label/L | 0/L | 1}" 'C | 1' 'R | 1 | 0 | 0' |
		cat - <(printf %s "$last") | tab > cut.log
	tr-capture -o cut.tr cut.log 2>&1 || echo "status $?"
	tr-text --tokens cut.tr | grep -c ^token
done
