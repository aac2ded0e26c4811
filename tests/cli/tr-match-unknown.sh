# SPDX-License-Identifier: Apache-2.0
# Code that the binaries do not have is warned of: how much, and where it begins.
. "$SRC/tests/cli/tr-unwind.inc"
printf 'prog.elf user\nkernel.elf kernel\n' > bins.lst
tr-match -v --no-provenance --bins bins.lst run.tr | tr-text | grep '^note'
