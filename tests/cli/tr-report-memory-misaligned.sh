# SPDX-License-Identifier: Apache-2.0
# tr-report memory: accesses that are not aligned, which the firmware makes for a kernel at its virtual
# addresses, byte by byte, count for the kernel's data: 10 stores and 20 loads of 8 bytes, and 30 loads of 4
# bytes that are the kernel's own.
cat > kernel.S << "END"
	.option norvc
	.globl _start
_start:	la t0, table
	li t1, 0x80000 << 10 | 0xcf
	sd t1, 8 * 2(t0) # 0x80000000 is mapped to itself,
	li t2, 8 * 510
	add t2, t2, t0
	sd t1, (t2) # and 0xffffffff80000000 to the same
	srli t0, t0, 12
	li t1, 8 << 60
	or t0, t0, t1
	csrw satp, t0
	sfence.vma
	la t0, high
	li t1, -1 << 32
	or t0, t0, t1
	jr t0
high:	la a0, data
	li t0, 10
1:	sd t0, 3(a0)
	addi t0, t0, -1
	bnez t0, 1b
	li t0, 20
2:	ld t1, 61(a0)
	addi t0, t0, -1
	bnez t0, 2b
	li t0, 30
3:	lw t1, 16(a0)
	addi t0, t0, -1
	bnez t0, 3b
	la t0, low
	slli t0, t0, 32
	srli t0, t0, 32
	jr t0
low:	csrw satp, zero
	sfence.vma
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
	j .

	.section .data
	.balign 4096
	.type table, @object
	.size table, 4096
table:	.zero 4096
	.type data, @object
	.size data, 128
data:	.zero 128
END
cat > kernel.ld << 'END'
SECTIONS {
	. = 0xffffffff80200000;
	.text : AT(0x80200000) { *(.text) }
	.data : AT(ADDR(.data) - 0xffffffff00000000) { *(.data) }
}
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -nostdlib -static kernel.S -o kernel.elf -T kernel.ld \
	-Wl,-n,--no-warn-rwx-segments,--build-id=none,-e0x80200000
soc-model --trace run.tr --max-cycles 1M "$SRC/build/target/firmware.elf" kernel.elf
tr-replay --stream --accesses run.tr "$SRC/build/target/firmware.elf" kernel.elf |
	tr-match --bins "$SRC/build/target/firmware.elf" --bins kernel.elf > accesses.tr
tr-report memory --limit 0 --format csv accesses.tr | awk -F, '/,data,|,table,/ { print $(NF - 1) ": loads", $2, "stores", $3, "lines", $6 }'
tr-report memory --by line --limit 0 --format csv accesses.tr | awk -F, '/,data,/ { print "line at", $11 ": loads", $5, "stores", $6 }'
