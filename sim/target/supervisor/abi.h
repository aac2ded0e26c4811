/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor's interface to its programs, and to an observer. For C and assembly.
 *
 * Symbol thread_table is an array of THREAD_COUNT records of THREAD_SIZE bytes,
 * little-endian. tp points to the thread's record while it runs in the supervisor. The
 * layout is fixed, so that an external reader of the machine's memory needs only this
 * header. */
#ifndef SUPERVISOR_ABI_H
#define SUPERVISOR_ABI_H

#define THREAD_COUNT 16
#define THREAD_SIZE  256

#define THREAD_STATE	 0  /* 4 bytes: THREAD_FREE and so on */
#define THREAD_PID	 4  /* 4 bytes, from 1; never reused */
#define THREAD_SATP	 8  /* 8 bytes */
#define THREAD_TP	 16 /* 8 bytes: the address of this record */
#define THREAD_NAME	 24 /* THREAD_NAME_SIZE bytes, NUL-terminated */
#define THREAD_KERNEL_SP 48 /* 8 bytes: stack at the next entry from U-mode */
#define THREAD_USER_SP	 56 /* 8 bytes: scratch of trap_entry */
#define THREAD_CONTEXT	 64 /* 14 * 8 bytes: ra, sp, s0 to s11 while not running */

#define THREAD_NAME_SIZE 24

#define THREAD_FREE    0
#define THREAD_READY   1 /* running or ready to run */
#define THREAD_WAITING 2 /* for a child to exit */
#define THREAD_ZOMBIE  3 /* exited; its parent has not waited yet */

/* The supervisor maps physical addresses below 4 GiB at KERNEL_OFFSET. Symbol stacks has
 * one stack per record of the table. */
#define KERNEL_OFFSET	  0xffffffff00000000
#define KERNEL_STACK_SIZE 8192

/* User addresses: the image from USER_BASE, the stack below USER_TOP. */
#define USER_BASE	0x10000
#define USER_TOP	0x40000000
#define USER_STACK_SIZE 0x100000

/* At the start of a program sp points to argc, followed by argv[0] to argv[argc], which
 * is 0. */

/* Calls: number in a7, arguments in a0 and a1, result in a0; negative: failure. */
#define SYS_WRITE 1 /* (text, bytes): bytes */
#define SYS_YIELD 2 /* () */
#define SYS_EXIT  3 /* (status, 0 to 255) */
#define SYS_SPAWN 4 /* ("name argument …"): pid */
#define SYS_WAIT  5 /* (): pid << 8 | status of an exited child */

/* Longest command of SYS_SPAWN, with its NUL, and maximum number of words in it. */
#define COMMAND_SIZE  128
#define COMMAND_WORDS 8

#endif
