# SPDX-License-Identifier: Apache-2.0
# What cannot be read: one line each, and status 2.
. "$SRC/tests/cli/prof-log.inc"
printf '%s\n' '5 main' '6 other' | make_counts -p 77 -s 1 /usr/bin/it > good.dat
printf '%s\n' 'span 1 1000 0 1 3 3 0' '1 1' '2 2' | make_log good.dat
log good.dat
size=$(stat -c %s good.dat)
change() { # NAME BYTE VALUE
	cp good.dat "$1"
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
head -c 3 good.dat > cut3.dat
head -c 4095 good.dat > cut4095.dat
head -c $((size - 1)) good.dat > cut.dat
{ cat good.dat; printf x; } > long.dat
change magic.dat 0 x
change first.dat 16 '\01'
change newer.dat 16 '\03'
change functions.dat 24 '\03'
change names.dat $((size - 3)) x
change index.dat 8192 '\02'
change never.dat 8192 '\0'
change odd.dat $((8200 + 96)) '\03'
: > empty.dat
mkfifo pipe.dat
mkdir folder.dat
ln -s good.dat link.dat
for file in empty cut3 cut4095 cut long magic first newer functions names index never odd pipe folder \
	missing folder.dat/missing missing/missing; do
	log $file.dat
done
log link.dat | head -n 1
cp "$BIN/prof-log" program.dat
log program.dat
log ''
log 99999999999
log 4294967296
