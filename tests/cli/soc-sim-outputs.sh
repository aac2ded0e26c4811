# SPDX-License-Identifier: Apache-2.0
# Outputs that end early, missing inputs, and files of the wrong kind: simulator and model
# print the same message, and exit with status 2.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: $off"
program print.elf <<< ".globl _start; _start: li a0, 0x10000000; li a1, 65; sb a1, (a0); $off"
program forever.elf <<< '.globl _start; _start: nop; .rept 999; addi a0, a0, 1; .endr; j _start'
soc-model --trace run.tr a.elf
zstd -q run.tr -o run.zst
trap '' XFSZ

# both ARGUMENTS...: runs both and prints their exit status.
both() {
	local tool
	for tool in soc-model soc-sim; do
		$tool "$@"
		echo "$tool $*: status $?" >&2
	done
}

both run.tr
both run.zst
both print.elf@0x80000000 a.elf
both --start pc=missing.elf:main a.elf
both --stop pc=run.tr:main a.elf
both --trace a.elf a.elf
both print.elf >&-
both --trace - a.elf >&-
both a.elf <&-
for tool in soc-model soc-sim; do
	{
		ulimit -f 1
		$tool --max-instructions 10M --trace long.tr forever.elf
		echo "$tool, a file of 1 KiB: status $?"
	} 2>&1 | cat >&2
	{
		sleep 0.1
		$tool --trace - forever.elf 2> /dev/null
		echo "$tool, a closed pipe: status $?" >&2
	} | :
done
