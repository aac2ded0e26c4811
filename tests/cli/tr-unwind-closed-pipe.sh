# SPDX-License-Identifier: Apache-2.0
# Whoever closes the pipe knows why: silence, and 2.
. "$SRC/tests/cli/tr-unwind.inc"
{
	sleep 0.2
	tr-unwind run.tr
	echo "exit $?" >&2
} | :
