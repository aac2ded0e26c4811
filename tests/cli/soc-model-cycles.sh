# SPDX-License-Identifier: Apache-2.0
# Cycle N has the same meaning for triggers, limits, tr-text and tr-diff.
. "$SRC/tests/cli/soc-model.inc"
program a.elf << END
	.globl _start
_start:
	li a0, 0x2004000
	li a1, 1
	sd a1, (a0)
	li a0, 0x80
	csrw mie, a0
	wfi
	nop
	$off
END
# A window that opens in the middle of a WFI contains only the rest of its cycles.
owned() { sed 's/ cycles=[0-9]*//'; }

soc-model --trace a.tr a.elf
tr-text --tokens a.tr | grep ^token | tee all | cut -d ' ' -f 2-6
for n in $(seq 20) 100 3199 3200 3201 3202 3203 3204 3205; do
	# The first token that does not end before cycle N, and the tokens that do.
	awk -v n="$n" '{ split($6, at, "=") } at[2] >= n { print; exit }' all > first
	awk -v n="$n" '{ split($6, at, "=") } at[2] <= n' all > some
	soc-model --trace b.tr --start cycle="$n" --stop cycle="$n" a.elf
	tr-text --tokens b.tr | grep ^token | owned | cmp - <(owned < first) || echo "not so: $n"
	soc-model --trace b.tr --stop cycle="$n" a.elf
	tr-text --tokens b.tr | grep ^token | tail -n 1 | cmp - first || echo "stops elsewhere: $n"
	soc-model --trace b.tr --max-cycles "$n" a.elf
	tr-text --tokens b.tr | grep ^token | cmp - some || echo "limit elsewhere: $n"
done
# k, M and G are powers of 1000.
soc-model --trace b.tr --no-provenance --start cycle=3000 --stop cycle=3199 a.elf
soc-model --trace c.tr --no-provenance --start cycle=3k --stop cycle=3199 a.elf
cmp b.tr c.tr

soc-model --trace b.tr --max-cycles 5 a.elf
tr-diff a.tr b.tr
