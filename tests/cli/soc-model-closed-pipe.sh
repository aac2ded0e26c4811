# SPDX-License-Identifier: Apache-2.0
# EPIPE: the run ends quietly, with status 2.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< '.globl _start; _start: li a0, 0x10000000; li a1, 65; 1: sb a1, (a0); j 1b'
{
	sleep 0.1
	soc-model a.elf
	echo "console: status $?" >&2
} | :
{
	sleep 0.1
	soc-model --trace - a.elf 2> /dev/null
	echo "stream: status $?" >&2
} | :
