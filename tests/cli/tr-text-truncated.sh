# SPDX-License-Identifier: Apache-2.0
# Complete records are shown before the message.
tr-text --encode -u > a.tr <<END
header content=rows
block a pc=0x100 1141 8082
row a
frame
row a x2
end
END
head -c -80 a.tr > b.tr
tr-text b.tr
