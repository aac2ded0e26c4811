# SPDX-License-Identifier: Apache-2.0
# Functions that a program compiled at run time, by its perf map and by its jitdump: their
# instructions, an address that is compiled again, code that moves, and what is in doubt.
. "$SRC/tests/cli/jit.inc"
build_jit jit
build_jit dump -DDUMP
for name in jit dump; do
	echo "# $name.elf"
	tr-match --bins $name.elf --perf-map $name.map $name.tr -o $name.m.tr 2> /dev/null
	tr-unwind -o $name.s.tr $name.m.tr
	compiled $name.s.tr
	tr-fold $name.s.tr | grep -o 'main;run;s[a-z]* .*'
done
echo '# lines, disassembly and notes'
tr-unwind --lines dump.m.tr 2> /dev/null | tr-fold | grep still
tr-annotate second dump.m.tr
tr-text dump.m.tr | grep '^header bin.1' | sed 's/\.hash=.*/.hash=.../'
tr-info dump.m.tr | grep 'dump.map'
tr-unwind --addresses dump.m.tr | tr-fold --format callgrind | grep -A2 'fn=.* still'
echo '# with a map of another run, or a map that has changed'
tr-match --bins jit.elf --perf-map dump.map jit.tr 2> /dev/null | tr-unwind -o s.tr
compiled s.tr
echo '80009000 10 more' >> jit.map
tr-unwind jit.m.tr > /dev/null
echo "exit status $?"
