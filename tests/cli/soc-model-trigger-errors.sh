# SPDX-License-Identifier: Apache-2.0
# Each refused specification is reported with its reason.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: $off"
for spec in '' nonsense exit=1 cycle= cycle=x cycle=0x10 cycle=-1 cycle=0 \
	cycle=18446744073709551616 cycle=1m cycle=99999999999G pc= pc=80000000 pc=0x pc=0x80000055 pc=0xg pc=0x10000000000000000 \
	pc=nowhere insn= insn=zz insn=100000000 insn=00000000000000013 insn=13/0 insn=13/zz insn=13/ insn=13/f; do
	soc-model --start "$spec" a.elf || [ $? = 2 ] || echo "another status: $spec"
done
soc-model --stop pc=0x1 a.elf
echo "status $?"
