# SPDX-License-Identifier: Apache-2.0
# A start trigger that never fires: a warning, and a note in the end record.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: nop; never: $off"
for start in cycle=1000 pc=0x80000100 insn=12345673; do
	soc-model --trace a.tr --start "$start" a.elf
	tr-text a.tr | grep '^end'
done
soc-model --start cycle=1000 a.elf
# No warning when a limit comes first, or when the trigger has fired.
soc-model --trace a.tr --start exit --max-instructions 1 a.elf
tr-text a.tr | grep '^end [et][nr]'
soc-model --trace a.tr --start exit a.elf
tr-text a.tr | grep '^end [et][nr]'
# The stop is before the start.
soc-model --trace never.tr --start cycle=200 --stop cycle=199 a.elf
echo "status $?"
[ -e never.tr ] || echo "nothing written"
