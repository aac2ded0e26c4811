# SPDX-License-Identifier: Apache-2.0
# Numbers that make no sense are refused, not cut to fit.
for option in '--depth 0' '--depth 4294967296' '--depth -1' '--history 5G' '-@ 0' '-@ 65'; do
	tr-match --bins bins.lst $option run.tr
	echo "exit $?"
done
