# SPDX-License-Identifier: Apache-2.0
# Files that cannot be read: one line each, and status 2. In the run folder, the others are
# listed.
. "$SRC/tests/cli/prof-counts.inc"
printf '%s\n' '5 main' '6 other' | make_counts -p 77 -s 1 /usr/bin/it > good.dat
damage_files
change version.dat 16 '\01'
for file in $damaged version missing; do
	counts $file.dat
done
counts 12345
counts 99999999999
counts ''
cp good.dat "$run/00077.dat"
cp cut.dat "$run/00078.dat"
cp good.dat "$run/00079.dat"
counts
rm -r "$run"
counts
counts 77
