# SPDX-License-Identifier: Apache-2.0
# The parts of two guests with the same vsatp, which is also the hypervisor's satp.
. "$SRC/tests/cli/two-guests.inc"
tr-split-by-satp --list two.tr
tr-split-by-satp -d parts two.tr
for part in parts/*; do
	echo "$part"
	tr-text "$part" | grep '^header split'
	tr-match --depth 4 --bins bins.lst "$part" | tr-unwind 2> /dev/null | tr-fold
done
tr-split-by-satp --satp 0x8000000000000001 --priv u two.tr | tr-text | grep -E '^(hgatp|xret|trap|priv)'

# A difference in hgatp alone.
sed 's/^hgatp 0x8000200000090000/hgatp 0x8000300000090000/' two.txt | tr-text --encode -o other.tr
tr-diff two.tr other.tr
