# SPDX-License-Identifier: Apache-2.0
# Names come from symbols when there is no DWARF; without both there are none.
debug=
. "$SRC/tests/cli/tr-unwind.inc"
tr-unwind run.tr | tr-fold
riscv64-unknown-elf-strip prog.elf
tr-unwind -v run.tr | tr-fold
