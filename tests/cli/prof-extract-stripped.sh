# SPDX-License-Identifier: Apache-2.0
# Functions of a program without symbols: the ranges of its unwind tables, with the names of
# dynamic symbols; and names of functions that have several symbols.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	for name in begin exported hidden; do
		printf 'function %s\n.cfi_startproc\naddi a0, a0, 1\naddi a1, a1, 1\nret\n.cfi_endproc\ndone_ %s\n' $name $name
	done
	cat <<- 'END'
		.hidden hidden
		.globl __strong_long, weak_name, alias, __strong
		.weak weak_name
		.set local_name, exported
		.set weak_name, exported
		.type local_name, @function
		.type weak_name, @function
		.set __strong, hidden
		.set __strong_long, hidden
		.set alias, begin
		.type __strong, @function
		.type __strong_long, @function
		.type alias, @function
		.size alias, 2
		.globl open_end
		.type open_end, @function
		open_end:
			addi a0, a0, 1
			addi a1, a1, 1
		.local_label:
			ret
		.globl data_behind
		data_behind:
			.word 0
	END
} > a.s
riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static-pie -Wl,-z,separate-code -Wl,--build-id=none \
	-Wl,--export-dynamic -Wl,-e,begin -o a.elf a.s
prof-extract --list a.elf
riscv64-linux-gnu-strip -o stripped.elf a.elf
echo stripped:
prof-extract --list stripped.elf
riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static -Wl,-z,separate-code -Wl,--build-id=none -s \
	-Wl,-e,begin -o b.elf a.s
echo 'without dynamic symbols:'
prof-extract --list b.elf
prof-extract -o prof b.elf
prof-counts --csv "prof$PWD/b.elf/shmem.dat"
riscv64-linux-gnu-strip -R .eh_frame -o none.elf b.elf 2> strip.log
prof-extract --list none.elf
echo "status $?"
