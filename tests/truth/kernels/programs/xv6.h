/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the port xv6.S. */
#ifndef XV6_H
#define XV6_H

#include "kernel.h"

/* Virtual addresses, with SV39: the end of each process's stack in U-mode, the page where
 * its registers are saved, and the page of code shared with the kernel. */
#define USER_STACK_TOP 0x40010000
#define TRAPFRAME      0x3fffffe000
#define TRAMPOLINE     0x3ffffff000

#ifndef __ASSEMBLER__

/* Called once, when the tasks have been created. */
void tasks_begin(void);
/* Where a task begins, in the kernel, with interrupts disabled. */
void task_begin(void);
/* Handles an interrupt; returns whether it is the timer's. */
bool on_interrupt(void);
/* Lets another task run. */
void kernel_yield(void);

#ifdef SV39
enum { PAGE_SIZE = 4096 };

/* Builds all address spaces. */
void spaces_begin(const void *frames);
/* The kernel's, and that of a process. */
uint64_t space_kernel(void);
uint64_t space_of(unsigned task);
/* Returns the end of a process's stack in the kernel's address space. */
uint64_t *space_stack_top(unsigned task);
#endif

#endif
#endif
