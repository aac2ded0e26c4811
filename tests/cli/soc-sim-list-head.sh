# SPDX-License-Identifier: Apache-2.0
# Whoever closes the pipe has seen enough of a list or a help: that is no failure. Any
# other write that fails is one.
for command in 'soc-sim --counters list' 'soc-sim --help' 'tr-fold --help' 'tr-fold --version'; do
	{
		sleep 0.5
		$command
		echo "$command: exit $?" >&2
	} | true
done
soc-sim --counters list > /dev/full
echo "exit $?"
