# SPDX-License-Identifier: Apache-2.0
# ELF files and lists of them, in any number; a file named twice counts once, with the role
# that a list gives it.
. "$SRC/tests/cli/tr-unwind.inc"
echo 'kernel.elf kernel' > kernel.lst
echo 'prog.elf' > prog.lst
echo 'prog.elf user' > user.lst
tr-text --encode -o plain.tr << 'END'
header content=rows
hart 0 priv=U satp=0x8000000000000001 space=1
block main pc=0x10100 00000013 00000013 00000013 00000013
block entry pc=0xffffffff80000000 00000013 00000013 00000013 00000013
row main
priv S
row entry
end
END
for options in '-b prog.elf' '-b prog.elf -b kernel.elf' '--bins kernel.lst -b ./prog.elf' \
	'-b prog.lst -b prog.elf' '-b kernel.lst -b kernel.lst' '-b user.lst -b prog.elf' '-b prog.elf -b user.lst'; do
	echo "== $options"
	tr-match $options plain.tr 2>&1 > matched.tr | cut -c 1-60
	tr-text --header matched.tr | grep '^header bin.*\(\.[0-9]=\|role\)'
	tr-info $options plain.tr | sed -n '/^binaries/,/^end/p' | grep elf
done
exec 2>&1
echo 'prog.elf kernel' > other.lst
tr-match -b user.lst -b prog.elf -b other.lst plain.tr
printf '\177ELF' > bad.elf
tr-match -b prog.elf -b bad.elf plain.tr
echo 'bad.elf user' > bad.lst
tr-info -b prog.elf -b bad.lst plain.tr
: > none.lst
tr-match -b prog.elf -b none.lst plain.tr
