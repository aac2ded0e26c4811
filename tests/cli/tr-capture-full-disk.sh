# SPDX-License-Identifier: Apache-2.0
# A full disk or a closed pipe ends the simulator as well.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-capture -o /dev/full a.tr
echo "status $?"
tr-capture -o /dev/full -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; exec sleep 60'
echo "status $?"
{ sleep 0.3; tr-capture -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; exec sleep 60'; echo "status $?" >&2; } | :
