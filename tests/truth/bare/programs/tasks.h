/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks, and how they take turns: by a timer interrupt, by an ecall or by a call.
 * What saves and loads their registers is the port's.
 */
#ifndef TASKS_H
#define TASKS_H

#ifdef __ASSEMBLER__
#define TASK_SP 0
#else

#include "work.h"

struct task {
	uint64_t sp; /* while it does not run */
	uint64_t wake;
	uint64_t saved[14]; /* by a port that does not keep them on the stack */
	bool is_over;
};

enum { TASK_COUNT = 6, TASK_WORDS = 512 };

extern struct task *volatile current;
extern volatile uint64_t ticks;

/* The port's. */

/* Prepares a stack on which `entry` begins; sets its sp. */
void port_prepare(struct task *task, uint64_t *top, void (*entry)(void), uint64_t tp);
/* Leaves main for the current task. */
void port_start(void);
/* Another task may have its turn. */
void port_yield(void);

/* tasks.c */

/* Sets `current` to the task whose turn it is. */
void task_choose(void);
/* The timer has rung. */
void task_tick(void);
void tasks_run(void);

#endif
#endif
