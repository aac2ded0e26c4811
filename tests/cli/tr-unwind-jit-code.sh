# SPDX-License-Identifier: Apache-2.0
# Code in no binary is JIT code if the kernel told that its memory is executable and of no file;
# else it is unknown: in another process, before that, of a file, or in the kernel.
printf '%s\n' '.globl _start' '_start: ecall' | riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib \
	-Wl,--build-id=none -Wl,-Ttext=0x40000000 -x assembler - -o other.elf
# With a hit in the kernel after the first row of each process. Values: start, end, file.
with() { # HIT-OF-FIRST HIT-OF-SECOND
	awk -v first="$1" -v second="$2" '
		/^header content/ { print; print "header probe.0=executable"; print "header probe.0.fields=start,end,file"; next }
		{ print }
		/^trap cause=8/ { n = split(first, hits, ";"); for (i = 1; i <= n; i++) print "probe 0 | " hits[i] }
		/^satp 0x8000100000080124/ && second { print "probe 0 | " second }' "$SRC/tests/cli/data/two-spaces.txt" > with.txt
	echo "# first: $1; second: $2"
	tr-text --encode with.txt | tr-match --bins other.elf 2> /dev/null | tr-unwind -o s.tr 2> err.txt || cat err.txt
	tr-fold s.tr 2> /dev/null
	tr-text s.tr | grep '^end unwind_[uj][a-z]*_instr'
	tr-info s.tr | sed -n '/^findings/,$s/^  \([a-z]*_[uj].*\)/\1/p'
}
with 'start=0x10000 end=0x11000 file=0' ''
with 'start=0x10000 end=0x11000 file=1' ''
with 'start=0x10000 end=0x10074 file=0' ''
with 'start=0x10000 end=0x11000 file=0;start=0x10070 end=0x10080 file=1' ''
with 'start=0x10000 end=0x11000 file=0;start=0x10080 end=0x10090 file=1' ''
with 'start=0x10074 end=0x10076 file=0' ''
with 'start=0x11000 end=0x10000 file=0' ''
with 'start=missing end=0x11000 file=0' ''
with 'start=0x10000 end=0x11000 file=0' 'start=0x20000 end=0x21000 file=0'
with '' 'start=0x10000 end=0x11000 file=0'
