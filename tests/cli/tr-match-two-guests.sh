# SPDX-License-Identifier: Apache-2.0
# Two guests and their hypervisor: the code at one address, and with one value of satp and
# vsatp, is that of the guest in which it runs. The text is exact, also across frames.
. "$SRC/tests/cli/two-guests.inc"
tr-match --depth 4 --bins bins.lst -v two.tr > matched.tr
tr-text matched.tr | grep -E '^(header bin.*name|note|hart|hgatp|satp|space|xret|trap)'
tr-text matched.tr | tr-text --encode | tr-text | diff <(tr-text matched.tr) -
sed '/^row driver1/a frame' two.txt | tr-text --encode | tr-text | grep -A99 '^frame 1' | grep ^hart
tr-text --tokens two.tr > tokens.txt
grep -m 3 hgatp= tokens.txt
tr-text --encode -o again.tr tokens.txt
tr-diff two.tr again.tr && echo same
