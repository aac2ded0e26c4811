# SPDX-License-Identifier: Apache-2.0
# Out-of-range numbers are refused, not clamped; so is a run without binaries.
for option in '--depth 0' '--depth 4294967296' '--depth -1' '--history 5G' '-@ 0' '-@ 65'; do
	tr-match --bins bins.lst $option run.tr
	echo "exit $?"
done
tr-match run.tr
echo "exit $?"
