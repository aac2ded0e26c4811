/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor as its programs, and an onlooker, see it. For C and assembly.
 *
 * Symbol thread_table is an array of THREAD_COUNT records of THREAD_SIZE bytes,
 * little-endian. A thread's record is where tp points while it runs in the
 * supervisor. The layout is fixed, so that whoever reads the machine's memory
 * from outside needs nothing but this header.
 */
#ifndef SUPERVISOR_ABI_H
#define SUPERVISOR_ABI_H

#define THREAD_COUNT 16
#define THREAD_SIZE  256

#define THREAD_STATE	 0  /* 4 bytes, THREAD_FREE and so on */
#define THREAD_PID	 4  /* 4 bytes, from 1; never used twice */
#define THREAD_SATP	 8  /* 8 bytes */
#define THREAD_TP	 16 /* 8 bytes: the address of this record */
#define THREAD_NAME	 24 /* THREAD_NAME_SIZE bytes, ends with a zero byte */
#define THREAD_KERNEL_SP 48 /* 8 bytes: stack when it next enters from U-mode */
#define THREAD_USER_SP	 56 /* 8 bytes: scratch of trap_entry */
#define THREAD_CONTEXT	 64 /* 14 * 8 bytes: ra, sp, s0 to s11 while not running */

#define THREAD_NAME_SIZE 24

#define THREAD_FREE    0
#define THREAD_READY   1 /* runs or could */
#define THREAD_WAITING 2 /* for a child to end */
#define THREAD_ZOMBIE  3 /* ended; its parent has not asked yet */

/* The supervisor sees physical addresses below 4 GiB at KERNEL_OFFSET and above.
 * Symbol stacks has a stack for each record of the table. */
#define KERNEL_OFFSET	  0xffffffff00000000
#define KERNEL_STACK_SIZE 8192

/* User addresses: the image from USER_BASE, the stack below USER_TOP. */
#define USER_BASE	0x10000
#define USER_TOP	0x40000000
#define USER_STACK_SIZE 0x100000

/* At program start sp points to argc, then argv[0] to argv[argc], which is 0. */

/* Calls: number in a7, arguments in a0 and a1, result in a0; negative: failed. */
#define SYS_WRITE 1 /* (text, bytes): bytes */
#define SYS_YIELD 2 /* () */
#define SYS_EXIT  3 /* (status, 0 to 255) */
#define SYS_SPAWN 4 /* ("name argument …"): pid */
#define SYS_WAIT  5 /* (): pid << 8 | status of a child that ended */

/* Longest command of SYS_SPAWN, with its zero byte, and most words in it. */
#define COMMAND_SIZE  128
#define COMMAND_WORDS 8

#endif
