# SPDX-License-Identifier: Apache-2.0
# Unknown and contradictory options.
for options in --no-such-option -Z -o "-@ 0" "-@ x" "--tokens --header" "--encode --tokens"; do
	tr-text $options
	echo "status $?"
done
