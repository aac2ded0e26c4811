# SPDX-License-Identifier: Apache-2.0
# When the temporary file or the output is full, the message names that file, not the
# input.
trap '' XFSZ
(
	ulimit -f 1
	{
		echo 'block a pc=0 0001 0001'
		echo 'hart 0'
		for i in {1..3000}; do echo "row a stall $((i % 2)):$((i + 1))"; done
		echo 'end end=power-off'
	} | tr-text --encode | wc -c
	echo "exit ${PIPESTATUS[1]}"
)
tr-text --encode -o /dev/full "$SRC/tests/cli/data/stacks.txt"
echo "exit $?"
tr-text --encode .
