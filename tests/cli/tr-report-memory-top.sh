# SPDX-License-Identifier: Apache-2.0
# tr-report memory follows a stack pointer in the last page of the address space, and around it.
cat > top.S << 'END'
.globl _start
_start:
	li sp, -64
	j 1f
1:	addi sp, sp, 32
	j 2f
2:	addi sp, sp, 128
	j 3f
3:	addi sp, sp, -256
	la a0, word
	lw a1, 0(a0)
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
4:	j 4b
	.bss
	.balign 4
word:	.zero 4
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments \
	-Wl,--build-id=none -o top.elf top.S
soc-model --trace top.tr top.elf
tr-replay --stream --accesses top.tr top.elf | tr-match --bins top.elf > accesses.tr 2> said
(ulimit -v 4000000; timeout 20 tr-report memory accesses.tr)
