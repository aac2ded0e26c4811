# SPDX-License-Identifier: Apache-2.0
# Unknown options, bad numbers, a missing command, a command that does not exist.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
try() {
	tr-capture "$@" | wc -c
	echo "status ${PIPESTATUS[0]}"
}
try --no-such-option a.tr
try --max-cycles x a.tr
try --max-cycles 99999999999G a.tr
try --max-instructions -1 a.tr
try -l 0 a.tr
try -l 20 a.tr
try a.tr a.tr
try --
try a.tr -- true
try -- ./no-such-command
try -- .
tr-capture soc-model program.elf
echo "status $?"
