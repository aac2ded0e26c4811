# SPDX-License-Identifier: Apache-2.0
# What is found in data: a function is refused because something there refers to its second
# instruction, and is counted if that refers to its first one or to nothing.
. "$SRC/tests/cli/prof-extract.inc"

# body NAME...: functions of which the second instruction has a label.
body() {
	for name in "$@"; do
		printf 'function %s\nc.addi a0, 1\n2%s:\nc.addi a1, 1\naddi a2, a2, 1\nret\ndone_ %s\n' "$name" "$name" "$name" |
			sed "s/2$name/.Lsecond_$name/"
	done
}
# targets: the names of the functions that are refused because of a target.
targets() { prof-extract --list "$1" | sed -n 's/,.*,target,.*//p' | paste -sd ' '; }

source_of() {
	echo "$macros"
	cat <<- 'END'
		function throws
			.cfi_startproc
			.cfi_lsda 0x1b, .Lcalls # relative to its place, 4 bytes
			addi sp, sp, -16
			addi sp, sp, 16
			ret
			.cfi_endproc
		done_ throws
		.section .gcc_except_table, "a"
		.Lcalls:
			.byte 0xff, 0xff # the function's begin; no types
			.byte 0x03, 26 # numbers of 4 bytes; size of what follows
			.word 0, 2, 0
			.byte 0
			.word 2, 2, .Lsecond_landing - throws
			.byte 0
		.text
	END
	body pointed table_relative landing pointed_first number behind_table local called
	body other
	cat <<- 'END'
		function uses_table
			auipc a5, 0
			lla a4, table_r
			slli a3, a0, 2
			add a3, a3, a4
			lw a3, 0(a3)
			add a3, a3, a4
			jr a3
		done_ uses_table
		function uses_variable
			lla a4, variable
			lw a0, 0(a4)
			ret
		done_ uses_variable
		function begin
			addi sp, sp, -16
			addi sp, sp, 16
			j .Lsecond_called
		done_ begin
		.section .rodata
		.align 3
		table_r: .word .Lsecond_table_relative - table_r, table_relative - table_r
		variable: .word .Lsecond_behind_table - table_r
		.word 0x1234567
	END
	cat <<- END
		.data
		.align 3
		$1
	END
}
pointers='.dword .Lsecond_pointed, pointed_first; .word 0, .Lsecond_number - variable'

source_of "$pointers" | sed 's/.Lsecond_local:/second_local: &/' | program a.elf
targets a.elf
echo 'no pointer:'
source_of '.dword pointed_first' | program b.elf
targets b.elf
echo 'position-independent:'
source_of "$pointers" > pie.s
riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static-pie -Wl,-z,separate-code -Wl,--build-id=none -Wl,-e,begin -o pie.elf pie.s
targets pie.elf
echo 'table of addresses:'
{
	echo "$macros"
	body first_case second_case
	cat <<- 'END'
		function begin
			lui a4, %hi(table_a)
			slli a3, a0, 2
			addi a4, a4, %lo(table_a)
			add a3, a3, a4
			lw a3, 0(a3)
			jr a3
		done_ begin
		.section .rodata
		.align 3
		.word 1
		table_a: .word .Lsecond_first_case, second_case
	END
} | program c.elf
targets c.elf
