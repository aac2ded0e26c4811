# SPDX-License-Identifier: Apache-2.0
# Returns from traps, by all instructions that do so: to another privilege, and to the same.
for bits in 10200073 30200073 70200073 7b200073; do
	for priv in 0 3; do
		cat > spike.log << END
core   0: 3 0x0000000080000000 (0x$bits)
core   0: $priv 0x0000000000010000 (0x0001)
END
		tr-capture -o a.tr spike.log
		tr-text --tokens a.tr | sed -n 's/ cycles=.*\(priv=.\).*/ \1/; /^token\|^xret\|^priv/p'
	done
done
# sfence.vma zero, sp is none.
printf 'core   0: %s\n' '1 0x0000000080000000 (0x12200073)' '1 0x0000000080000004 (0x00000013)' > spike.log
tr-capture -o a.tr spike.log
tr-text --tokens a.tr | grep ^xret || echo none
