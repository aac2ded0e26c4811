# SPDX-License-Identifier: Apache-2.0
# EPIPE: exits quietly, with status 2.
echo 'a;b 5' > a
echo 'a;b 6' > b
{
	sleep 0.2
	tr-diff a b
	echo "exit $?" >&2
} | :
