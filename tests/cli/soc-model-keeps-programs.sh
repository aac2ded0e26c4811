# SPDX-License-Identifier: Apache-2.0
# The trace does not overwrite a program.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start
_start: $off"
cp a.elf b.elf
soc-model --trace a.elf a.elf
echo "exit $?"
ln a.elf c.elf
soc-model --trace c.elf a.elf@0x80000000
echo "exit $?"
cmp a.elf b.elf
soc-model --trace a.tr a.elf
echo "exit $?"
