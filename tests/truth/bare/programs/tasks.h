/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks, which switch by a timer interrupt, by an ecall or by a call. The port saves and
 * restores their registers. */
#ifndef TASKS_H
#define TASKS_H

#ifdef __ASSEMBLER__
#define TASK_SP 0
#else

#include "work.h"

struct task {
	uint64_t sp; /* while it is not running */
	uint64_t wake;
	uint64_t saved[14]; /* for a port that does not save them on the stack */
	bool is_over;
};

enum { TASK_COUNT = 6, TASK_WORDS = 512 };

extern struct task *volatile current;
extern volatile uint64_t ticks;

/* Functions of the port. */

/* Prepares a stack on which `entry` starts; sets its sp. */
void port_prepare(struct task *task, uint64_t *top, void (*entry)(void), uint64_t tp);
/* Leaves main and starts the current task. */
void port_start(void);
/* Lets another task run. */
void port_yield(void);

/* tasks.c */

/* Sets `current` to the next task. */
void task_choose(void);
/* Called for a timer interrupt. */
void task_tick(void);
void tasks_run(void);

#endif
#endif
