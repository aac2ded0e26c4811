# SPDX-License-Identifier: Apache-2.0
# Each cause of a trap has its name in a stream, as text, and on the stacks: those of the
# privileged specification by Spike's names and numbers, and causes that are not known.
names='instruction_address_misaligned instruction_access_fault illegal_instruction breakpoint
	load_address_misaligned load_access_fault store_address_misaligned store_access_fault
	user_ecall supervisor_ecall virtual_supervisor_ecall machine_ecall
	instruction_page_fault load_page_fault store_page_fault double_trap software_check hardware_error
	instruction_guest_page_fault load_guest_page_fault virtual_instruction store_guest_page_fault
	something_of_a_fork'
numbers='1 2 3 5 6 7 9 10 11 12 13 14 63 64'
interrupts='supervisor_timer machine_external counter_overflow something_of_a_fork'
{
	echo 'core   0: 3 0x0000000080000000 (0x12345537) x10 0x0000000012345000'
	for trap in $(printf 'trap_%s ' $names) $(printf 'interrupt_%s ' $interrupts) \
		$(printf 'trap_#%s ' 24 64) $(printf 'interrupt_#%s ' $numbers); do
		echo "core   0: exception ${trap/_#/ #}, epc 0x0000000080000004"
		echo 'core   0:           tval 0x0000000000000000'
		echo 'core   0: 3 0x0000000080000100 (0x30200073)'
		echo 'core   0: 3 0x0000000080000004 (0x00150513) x10 0x0000000000000001'
		echo 'core   0: 3 0x0000000080000008 (0xff9ff06f)'
		echo 'core   0: 3 0x0000000080000000 (0x12345537) x10 0x0000000012345000'
	done
} > causes.log
tr-capture -o a.tr causes.log
tr-text a.tr | grep ^trap
cat > a.S << 'END'
	.globl work, handler
	.type work, @function
	.type handler, @function
work:	lui a0, 0x12345
	addi a0, a0, 1
	j work
	.size work, . - work
	.org 0x100
handler: mret
	.size handler, . - handler
END
riscv64-unknown-elf-gcc -march=rv64i_zicsr -mabi=lp64 -nostdlib -Wl,-Ttext=0x80000000,-ework -o a.elf a.S
tr-match --bins a.elf a.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
tr-text a.tr | tr-text --encode -o same.tr -
cmp <(tr-text a.tr) <(tr-text same.tr | sed '/pg=.*--encode/d')
