# SPDX-License-Identifier: Apache-2.0
# Functions by calls, then by name; entries are told apart from calls; names in CSV.
. "$SRC/tests/cli/prof-counts.inc"
make_counts -p 3478 -s 5 /usr/bin/it > "$run/03478.dat" << 'END'
5 main
18446744073709551615 busy
70000 * spin
70000 add<a, "b">
0 never
0 * _idle
70000 add
END
counts 3478
counts 03478
counts "$run/03478.dat"
counts --csv 3478
make_counts -g > "$run/00000.dat" << 'END'
5 main
6 other
END
counts 0
make_counts /usr/bin/it < /dev/null > none.dat
counts none.dat
counts --csv ./none.dat
