# SPDX-License-Identifier: Apache-2.0
# Privileges of a stream with classes of lost cycles: a trap from code that is left out
# leaves its cycles, and their classes, to the gap.
cat > a.txt << 'END'
header classes=badspec.trap,memory.l2
block u pc=0x10000 00000013
block s pc=0x80200000 00000013
block m pc=0x80000000 00000013
hart 0 priv=U
row u
trap cause=8 priv=S epc=0x10004 cycles=3/1*3
row s
trap cause=9 priv=M epc=0x80200004 cycles=4/1*3/2*1
row m stall 0:3/2*2
xret priv=S
row s
xret priv=U
row u
trap cause=7 priv=M epc=0x10004 cycles=2/1*2
row m
end end=power-off
END
tr-text --encode -o a.tr a.txt
tr-text --tokens a.tr | grep ^token > all
for privs in m s u m,s m,u s,u m,s,u; do
	echo "# --priv $privs"
	tr-split-by-satp --priv "$privs" a.tr > part.tr
	echo "exit $?"
	wanted=$(tr -d , <<< "${privs^^}")
	tr-text --tokens part.tr | grep ^token | cmp - <(grep "priv=[$wanted] " all)
	tr-text part.tr | grep -E '^(trap|gap|end cycles)'
done
