# SPDX-License-Identifier: Apache-2.0
# A base that would put code beyond the end of memory is refused, as is an odd one.
. "$SRC/tests/cli/tr-unwind.inc"
grep -v ^note run.txt | sed '/^header bin/d' | tr-text --encode -o run.tr
for base in 0x10000 0x10001 0xfffffffffffff000 0xfffffffffffffc00 0xfffffffffffffbce \
	0xfffffffffffffffe 0xffffffffffffffff; do
	echo "# $base"
	printf '# a list\nprog.elf base=%s\n' $base > bins.lst
	tr-match --bins bins.lst run.tr 2>&1 > matched.tr | grep lst
	tr-info --bins bins.lst run.tr 2>&1 > info | grep lst
done
