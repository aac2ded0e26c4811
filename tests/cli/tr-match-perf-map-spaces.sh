# SPDX-License-Identifier: Apache-2.0
# Whose a map of compiled code is: of one address space, which is chosen if two have code there.
printf '%s\n' '.globl _start' '_start: ecall' | riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib \
	-Wl,--build-id=none -Wl,-Ttext=0x40000000 -x assembler - -o other.elf
tr-text --encode -o two.tr "$SRC/tests/cli/data/two-spaces.txt"
echo '10074 20 here' > both.map
echo '10074 8 no room for the block' > short.map
show() {
	echo "# $*"
	tr-match --bins other.elf "$@" two.tr 2> err.txt | tr-unwind 2> /dev/null | tr-fold 2> /dev/null | grep -a here
	sed /warning/d err.txt
}
{
	show --perf-map both.map
	show --perf-map both.map:space=1
	show --perf-map both.map:space=2
	show --perf-map both.map:space=3
	show --perf-map both.map:space=1 --perf-map both.map:space=2
	show --perf-map short.map
	show --perf-map both.map:satp=0x8000000000080123
	show --perf-map both.map:satp=9223389629041344804 # 0x8000100000080124
	show --perf-map both.map:satp=0x8000000000080125
	show --perf-map both.map:satp=0x8000000000080123 --perf-map both.map:satp=0x8000100000080124
	show --perf-map both.map:satp=
} 2>&1
