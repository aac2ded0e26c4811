/* SPDX-License-Identifier: Apache-2.0 */
/* Process 1 for the boot of Debian's kernel: prints a message and powers off. */

#define SYS_WRITE  64
#define SYS_REBOOT 142

	.section .rodata
text:
	.ascii "init: power off\n"
	.set length, . - text

	.text
	.globl _start
	.type _start, @function
_start:
	li	a0, 1
	la	a1, text
	li	a2, length
	li	a7, SYS_WRITE
	ecall
	li	a0, 0xfee1dead
	li	a1, 0x28121969
	li	a2, 0x4321fedc /* power off */
	li	a7, SYS_REBOOT
	ecall
	ebreak
	.size _start, . - _start
