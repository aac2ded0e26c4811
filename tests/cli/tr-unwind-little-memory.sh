# SPDX-License-Identifier: Apache-2.0
# The DWARF is read below a limit of the address space, or it is said why not; what was
# asked for and is not to be had is an error. A small stack is enough for each filter.
. "$SRC/tests/cli/tr-unwind.inc"
printf 'prog.elf\nkernel.elf\n' > bins.lst
export XDG_CACHE_HOME=$PWD
(
	ulimit -s 128
	tr-text --encode run.txt | tr-match --bins bins.lst -@ 3 -o matched.tr 2> warnings
	tr-unwind -@ 3 run.tr | tr-fold --svg run.svg
	tr-info matched.tr > info.txt
	tr-text matched.tr > matched.txt
)
# A sanitizer takes more address space than that: what follows prints nothing if it is right.
grep -q __asan_init "$BIN/tr-unwind" && exit
(
	ulimit -v 500000
	tr-unwind --lines run.tr | tr-fold | grep main
) | diff - <(printf '%s\n' 'prog;_start;main;foo;prog.c:10 6' 'prog;_start;main;prog.c:6 3')
rm -r tr-profiler
# A file that does not fit.
head -c 60000000 /dev/zero > zeros
riscv64-unknown-elf-objcopy --add-section .zeros=zeros prog.elf
(
	ulimit -v 50000
	tr-unwind run.tr 2>&1 > out.tr | sed 's/limit is [0-9]* KiB/limit/'
	echo "exit ${PIPESTATUS[0]}"
	tr-unwind --lines run.tr 2>&1 > out.tr | sed 's/limit is [0-9]* KiB/limit/'
	echo "exit ${PIPESTATUS[0]}"
) | diff - <(
	echo 'tr-unwind: prog.elf: DWARF reader: no memory for the file (see ulimit -v); names from symbols only'
	echo 'exit 0'
	echo 'tr-unwind: prog.elf: DWARF reader: no memory for the file (see ulimit -v); names from symbols only'
	echo 'tr-unwind: cannot read what --lines asks for'
	echo 'exit 2'
)
