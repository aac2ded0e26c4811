# SPDX-License-Identifier: Apache-2.0
# Each command that reads a stream: input that is missing, empty, truncated or of rows, a full
# disk, a closed pipe: one line, and exit status 2.
tr-text --encode -u -o s.tr "$SRC/tests/cli/data/machine.txt"
head -c 300 s.tr > cut.tr
: > empty.tr
printf '%s\n' 'header content=rows' 'end end=limit' 'end instructions=0' 'end cycles=0' 'end frames=0' |
	tr-text --encode > rows.tr
for command in functions tma classes 'histogram main' 'slowest main'; do
	for input in missing.tr empty.tr cut.tr rows.tr; do
		# shellcheck disable=SC2086 # words
		tr-report $command $input
		echo "exit $?"
	done
	# shellcheck disable=SC2086
	tr-report $command s.tr > /dev/full
	echo "exit $?"
	{
		sleep 0.2
		# shellcheck disable=SC2086
		tr-report $command s.tr
		echo "closed: exit $?" >&2
	} | :
done
tr-report histogram main --svg missing/out s.tr > out
echo "exit $?"
tr-report functions -o s.tr s.tr
echo "exit $?"
