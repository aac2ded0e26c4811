# SPDX-License-Identifier: Apache-2.0
# Under a limit of the address space the DWARF is read, or the reason is reported; a
# requested feature that is unavailable is an error. Each filter works with a small stack.
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
# A sanitizer takes more address space than this; the rest prints nothing if it is
# correct.
grep -q __asan_init "$BIN/tr-unwind" && exit
(
	ulimit -v 500000
	tr-unwind --lines run.tr | tr-fold | grep main
) | diff - <(printf '%s\n' 'prog;_start;main;foo;prog.c:10 6' 'prog;_start;main;prog.c:6 3')
rm -r tr-profiler
# A file that does not fit into memory.
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
