# SPDX-License-Identifier: Apache-2.0
# What cannot be read: one line each, and status 2.
. "$SRC/tests/cli/prof-log.inc"
printf '%s\n' '5 main' '6 other' | make_counts -p 77 -s 1 /usr/bin/it > good.dat
printf '%s\n' 'span 1 1000 0 1 3 3 0' '1 1' '2 2' | make_log good.dat
log good.dat
damage_files
change first.dat 16 '\01'
change index.dat 8192 '\02'
change never.dat 8192 '\0'
change odd.dat $((8200 + 96)) '\03'
ln -s good.dat link.dat
for file in $damaged first index never odd missing folder.dat/missing missing/missing; do
	log $file.dat
done
log link.dat | head -n 1
cp "$BIN/prof-log" program.dat
log program.dat
log ''
log 99999999999
log 4294967296
