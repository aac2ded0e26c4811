# SPDX-License-Identifier: Apache-2.0
# Perf maps and jitdumps that are damaged, of another machine, or hostile.
. "$SRC/tests/cli/jit.inc"
build_jit dump -DDUMP
try() { # FILE
	tr-match --bins dump.elf --perf-map "$1" dump.tr > out.tr
	echo "exit status $?" >&2
}
line() { printf "$1" > bad.map; try bad.map; } # FORMAT
{
	line ''
	line '\n'
	line '80001000 14 first'
	line '80001000 14 first\n80001400 14\n'
	line '80001000 14 \n'
	line '80001000 first\n'
	line '80001000 14x first\n'
	line 'first 80001000 14\n'
	line '80001000 14 fi\0rst\n'
	line '10000000080001000 14 first\n'
	line 'ffffffffffffff00 200 wraps\n'
	line '80001000 ffffffffffffffff wraps\n'
	line '0 1000000000001 large\n'
	printf '80001000 14 %70000s' first > bad.map
	try bad.map
	echo >> bad.map
	try bad.map
	mkdir folder.map
	try folder.map
	try missing.map
	try /dev/zero
	yes '80001000 4 again' | head -5000 > bad.map
	try bad.map
	for space in 0 x 4294967295 18446744073709551616 1,2; do
		try "dump.map:space=$space"
	done
} 2>&1
echo '# jitdumps'
poke() { # OFFSET BYTES
	cp dump.map bad.map
	printf "$2" | dd of=bad.map bs=1 seek="$1" conv=notrunc status=none
	try bad.map
}
{
	poke 0 'JiTD'          # big-endian
	poke 4 '\2'            # version
	poke 8 '\47'           # size of the header
	poke 8 '\0\0\1'
	poke 12 '\76'          # x86-64
	poke 40 '\7'           # a record of no kind
	poke 44 '\17'          # smaller than its prefix
	poke 44 '\20'
	poke 44 '\377\377'     # more than the file
	poke 64 '\3'           # lines that it does not have
	poke 116 '\70'         # JIT_CODE_LOAD
	poke 156 '\25'         # less code than it says
	poke 156 '\0\0\0\0\0\0\0\177'
	poke 148 '\0\0\0\0\0\0\0\200' # where no program is
	poke 173 '\0'          # a name with a 0
} 2>&1
echo '# names that no output can have, and overlaps without end'
printf '80001000 14 \33[2J;fi\377rst\n80001100 18 a;b c\n0x80001200 0x14 moved\r\n80001300 0 nothing\n' > good.map
tr-match --bins dump.elf --perf-map good.map dump.tr 2> /dev/null | tr-unwind | tr-fold | grep -a 'run;[^[]' | cat -v
echo '# cut and flipped: refused, or the same names'
size=$(stat -c %s dump.map)
for ((at = 0; at < size; at += 13)); do
	head -c "$at" dump.map > cut.map
	tr-match --bins dump.elf --perf-map cut.map dump.tr > out.tr 2> err.txt
	status=$?
	{ [ $status = 2 ] && [ "$(wc -l < err.txt)" = 1 ]; } || { [ $status = 0 ] && [ -s out.tr ]; } ||
		echo "cut at $at: exit status $status: $(cat err.txt)"
	cp dump.map flip.map
	printf "\\$(printf %o $((0x$(xxd -s $at -l 1 -p dump.map) ^ 1 << at % 8)))" |
		dd of=flip.map bs=1 seek="$at" conv=notrunc status=none
	tr-match --bins dump.elf --perf-map flip.map dump.tr > out.tr 2> err.txt
	status=$?
	[ $status = 0 ] || { [ $status = 2 ] && [ "$(wc -l < err.txt)" = 1 ]; } ||
		echo "flipped at $at: exit status $status: $(cat err.txt)"
done
