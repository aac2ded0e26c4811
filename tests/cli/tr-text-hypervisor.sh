# SPDX-License-Identifier: Apache-2.0
# Code of a guest, in VS- and VU-mode: each filter keeps the bit for virtualisation, and the
# guest's code matches by the same roles as without it.
. "$SRC/tests/cli/tr-unwind.inc"
cat > guest.txt << 'END'
header content=rows
header xlen=64
hart 0 priv=VU satp=0x8000000000000001
block start pc=0x10000 00000013 00000013 00000013
block main pc=0x10100 00000013 00000013
block entry pc=0xffffffff80000000 00000013
block handler pc=0xffffffff80000100 00000013 00000013
block entry2 pc=0xffffffff80000004 00000013 00000013
row start
trigger start
row main
trap cause=8 tval=0x0 epc=0x10108 priv=VS
row entry
trigger start
row handler
trigger start
row entry2
xret priv=VU
row main
trap cause=10 tval=0x0 epc=0x10108 priv=S
row handler
xret priv=VS
priv VU
row start
end end=power-off
END
tr-text --encode guest.txt > guest.tr
tr-text guest.tr > once.txt
tr-text --encode once.txt | tr-text | diff once.txt -
printf 'prog.elf user\nkernel.elf kernel\n' > bins.lst
tr-match --bins bins.lst guest.tr > matched.tr
tr-text matched.tr | grep -e '^note' -e priv=
tr-split-by-satp --list guest.tr
tr-unwind matched.tr | tee stacks.tr | tr-fold
tr-text stacks.tr | grep priv=
tr-info guest.tr | sed -n '/^contexts/,/^end/p'
