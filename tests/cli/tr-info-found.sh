# SPDX-License-Identifier: Apache-2.0
# --found: what the filters made of the same run; stacks of another run are refused.
. "$SRC/tests/cli/tr-unwind.inc"
tr-unwind -o stacks.tr run.tr
printf 'prog.elf user\nkernel.elf kernel\n' > bins.lst
grep -v ^note run.txt | sed '/^header bin/d' > plain.txt
tr-text --encode -o plain.tr plain.txt
tr-info --bins bins.lst --found stacks.tr plain.tr > found.txt
echo "status $?"
sed '/^row start2/d' plain.txt | tr-text --encode -o other.tr
tr-info --bins bins.lst --found stacks.tr other.tr
echo "status $?"
tr-info --found stacks.tr plain.tr
echo "status $?"
tr-info --bins bins.lst --found plain.tr plain.tr
echo "status $?"
