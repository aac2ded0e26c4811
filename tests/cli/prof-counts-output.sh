# SPDX-License-Identifier: Apache-2.0
# Wrong options, a full disk, and a pipe without a reader.
. "$SRC/tests/cli/prof-counts.inc"
printf '%s\n' '5 main' '6 other' | make_counts -p 77 -s 1 /usr/bin/it > "$run/00077.dat"
counts --no-such-option
counts --csv=x 77
counts 77 78
counts --version
counts --help
prof-counts 77 > /dev/full
echo "status $?"
prof-counts --csv > /dev/full
echo "status $?"
{ sleep 0.3; prof-counts 77; echo "status $?" >&2; } | :
