# SPDX-License-Identifier: Apache-2.0
# Files that cannot be read: one line each, and status 2. In the run folder, the others are
# listed.
. "$SRC/tests/cli/prof-counts.inc"
printf '%s\n' '5 main' '6 other' | make_counts -p 77 -s 1 /usr/bin/it > good.dat
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
change version.dat 16 '\01'
change newer.dat 16 '\03'
change functions.dat 24 '\03'
change names.dat $((size - 3)) x
: > empty.dat
mkfifo pipe.dat
mkdir folder.dat
for file in empty cut3 cut4095 cut long magic version newer functions names pipe folder missing; do
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
