# SPDX-License-Identifier: Apache-2.0
# EPIPE while printing a list or help is no failure. Any other failed write is one.
for command in 'soc-sim --counters list' 'soc-sim --help' 'tr-fold --help' 'tr-fold --version'; do
	{
		sleep 0.5
		$command
		echo "$command: exit $?" >&2
	} | true
done
soc-sim --counters list > /dev/full
echo "exit $?"
