# SPDX-License-Identifier: Apache-2.0
# The parts of a truncated stream are truncated as well, and have its complete rows.
tr-text --encode -u > a.tr <<END
header content=rows
block a pc=0x100 1141 8082
row a
frame
satp 1
row a x2
end
END
head -c -100 a.tr > b.tr
tr-split-by-satp --priv m b.tr > c.tr
echo "status $?"
tr-text --tokens c.tr | grep ^token
