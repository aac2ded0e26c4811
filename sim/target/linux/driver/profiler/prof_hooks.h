/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel tells the run-time profiler. Nothing is executed unless a process is
 * registered in /proc/profiler/daemon.
 */
#ifndef _LINUX_PROF_HOOKS_H
#define _LINUX_PROF_HOOKS_H

struct task_struct;

#ifdef CONFIG_RUN_TIME_PROFILER
#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(prof_watches);
DECLARE_STATIC_KEY_FALSE(prof_samples_ticks);

void __prof_tick(void);
void __prof_exec(void);
void __prof_fork(struct task_struct *child);
void __prof_exit(void);

/* Samples what the timer interrupt has interrupted. */
static inline void prof_tick(void)
{
	if (static_branch_unlikely(&prof_samples_ticks))
		__prof_tick();
}

/* current has a new program, and holds no locks. May sleep for 10 ms. */
static inline void prof_exec(void)
{
	if (static_branch_unlikely(&prof_watches))
		__prof_exec();
}

/* current has made `child`, which has not run yet. */
static inline void prof_fork(struct task_struct *child)
{
	if (static_branch_unlikely(&prof_watches))
		__prof_fork(child);
}

/* current, the last thread of its process, exits; its parent does not know yet. */
static inline void prof_exit(void)
{
	if (static_branch_unlikely(&prof_watches))
		__prof_exit();
}

#else
static inline void prof_tick(void)
{
}
static inline void prof_exec(void)
{
}
static inline void prof_fork(struct task_struct *child)
{
}
static inline void prof_exit(void)
{
}
#endif

#endif
