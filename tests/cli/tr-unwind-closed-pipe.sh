# SPDX-License-Identifier: Apache-2.0
# EPIPE: exits quietly, with status 2.
. "$SRC/tests/cli/tr-unwind.inc"
{
	sleep 0.2
	tr-unwind run.tr
	echo "exit $?" >&2
} | :
