# SPDX-License-Identifier: Apache-2.0
# Returns that match no call are warned of when they are more than a few; of code that
# is in no binary the warning says so.
set -o pipefail
. "$SRC/tests/cli/tr-unwind.inc"
run() { # TIMES [LINE...]: lines before the rows
	local times=$1
	shift
	{
		sed '/^row main1/,$d' run.txt
		printf '%s\n' "$@"
		for ((i = 0; i < times; i++)); do
			printf 'row %s\n' main1 foo bar2 main2
		done
		echo 'end end=limit'
	} | tr-text --encode | tr-unwind | tr-fold
	echo "exit $?"
}
run 5
run 6
run 6 'block lost pc=0x20000 0001' 'row lost'
