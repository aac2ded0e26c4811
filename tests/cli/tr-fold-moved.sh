# SPDX-License-Identifier: Apache-2.0
# Options that have become commands of tr-report: the message has the new command, with the
# argument.
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
for options in --table --table=t.txt '--tma --table=t.txt --svg x' '--histogram main' --histogram=main '--svg x --slowest main' \
	--slowest; do
	# shellcheck disable=SC2086 # words
	tr-fold $options s.tr
	echo "exit $?"
done
tr-fold --slowest
ls
