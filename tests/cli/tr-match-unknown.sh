# SPDX-License-Identifier: Apache-2.0
# A warning gives the amount of code that no binary has, and where it begins.
. "$SRC/tests/cli/tr-unwind.inc"
printf 'prog.elf user\nkernel.elf kernel\n' > bins.lst
tr-match -v --no-provenance --bins bins.lst run.tr | tr-text | grep '^note'
