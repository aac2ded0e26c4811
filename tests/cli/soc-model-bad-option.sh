# SPDX-License-Identifier: Apache-2.0
# Invalid command lines: one line, and exit status 2.
. "$SRC/tests/cli/soc-model.inc"
program a.elf <<< ".globl _start; _start: $off"

# run OPTION...: prints the message and the status.
run() {
	soc-model "$@"
	echo "$*: status $?" >&2
}

run
run --none a.elf
run --trace
run --ram 0 a.elf
run --ram 5000 a.elf
run --ram 129G a.elf
run --ram lots a.elf
run --max-instructions many a.elf
run --max-cycles -1 a.elf
TR_CAPTURE_FD=77 run a.elf
