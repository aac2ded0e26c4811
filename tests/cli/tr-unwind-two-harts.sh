# SPDX-License-Identifier: Apache-2.0
# Each hart has its own stacks; gaps and cycles before a hart's first token are counted.
. "$SRC/tests/cli/tr-unwind.inc"
sed '/^end/d' run.txt > two.txt
cat >> two.txt << 'END'
gap reason=end cycles=4
hart 1 priv=U satp=0x8000000000000001 space=1
gap reason=reset cycles=5
row main1
row foo
gap reason=lost cycles=9
row main2
row bar1
gap reason=lost cycles=0
row bar2
end end=limit
END
tr-text --encode -o two.tr two.txt
tr-unwind two.tr | tr-text | grep -E '^(hart|srow|stack|row|end)'
