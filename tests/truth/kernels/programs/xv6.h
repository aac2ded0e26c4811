/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the port xv6.S. */
#ifndef XV6_H
#define XV6_H

#include "kernel.h"

enum { CONTEXT_ENTRY = 14 }; /* of context[]: what the task runs */

/* Where a task begins, in the kernel, with interrupts disabled. */
void task_begin(void);
/* Handles an interrupt; returns whether it is the timer's. */
bool on_interrupt(void);
/* Lets another task run. */
void kernel_yield(void);

#endif
