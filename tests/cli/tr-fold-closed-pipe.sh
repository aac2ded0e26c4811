# SPDX-License-Identifier: Apache-2.0
# EPIPE: exits quietly, with status 2.
tr-text --encode -o s.tr "$SRC/tests/browser/flame.txt"
{
	sleep 0.2
	tr-fold s.tr
	echo "exit $?" >&2
} | :
