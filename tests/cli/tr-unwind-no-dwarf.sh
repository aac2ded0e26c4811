# SPDX-License-Identifier: Apache-2.0
# Names come from symbols when there is no DWARF; without both there are none.
debug=
. "$SRC/tests/cli/tr-unwind.inc"
tr-unwind run.tr | tr-fold
riscv64-unknown-elf-strip prog.elf
tr-unwind -v run.tr | tr-fold
echo '# two binaries without DWARF: their number, or each of them'
make_elf prog 0x10000 _start main foo bar
tr-text --encode -o run.tr run.txt
tr-unwind run.tr 2>&1 > stacks.tr
tr-unwind -v run.tr 2>&1 > stacks.tr | grep DWARF
tr-annotate --all run.tr 2>&1 > listing.txt
