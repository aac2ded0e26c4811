# SPDX-License-Identifier: Apache-2.0
# A full disk gives one line, for the stream and for the console.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: li a0, 0x10000000; li a1, 65; sb a1, (a0); $off"
soc-model --trace /dev/full a.elf
echo "status $?"
soc-model --trace - a.elf > /dev/full
echo "status $?"
soc-model a.elf > /dev/full
echo "status $?" >&2
soc-model --help > /dev/full
echo "status $?" >&2
