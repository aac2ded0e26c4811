# SPDX-License-Identifier: Apache-2.0
# Requested information that the DWARF lacks is reported; the rest is present.
. "$SRC/tests/cli/tr-unwind.inc"
for debug in -g -g1 -g0; do
	make_elf prog 0x10000 _start main foo bar
	make_elf kernel 0xffffffff80000000 entry handler
	echo "== $debug"
	tr-unwind --inline --lines run.tr | tr-fold
done
tr-unwind --lines run.tr | tr-fold | head -1
tr-unwind --inlines run.tr 2>&1 | head -1
