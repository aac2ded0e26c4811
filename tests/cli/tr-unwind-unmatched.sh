# SPDX-License-Identifier: Apache-2.0
# Returns that match no call are warned of when they are more than a few.
set -o pipefail
. "$SRC/tests/cli/tr-unwind.inc"
for times in 5 6; do
	{
		sed '/^row main1/,$d' run.txt
		for ((i = 0; i < times; i++)); do
			printf 'row %s\n' main1 foo bar2 main2
		done
		echo 'end end=limit'
	} | tr-text --encode | tr-unwind | tr-fold
	echo "exit $?"
done
