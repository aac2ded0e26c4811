/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of tasks by hits of probes, for kernel_tasks*.c. */
#ifndef TR_KERNEL_TASKS_INTERNAL_H
#define TR_KERNEL_TASKS_INTERNAL_H

#include "stream/kernel_tasks.h"

enum {
	TASKS_OF_PROBE = 4,
	TASK_COMM = 64, /* bytes that are kept of a name */
	TASK_NONE = UINT32_MAX
};

/* The numbers of a task's fields in a probe, TASK_NONE for those that it lacks. */
struct task_fields {
	uint32_t task, tp, stack, stack_size, stack_top;
	uint32_t pid, tgid, comm;
};
struct task_probe {
	struct task_fields tasks[TASKS_OF_PROBE];
	unsigned count;
};

/* What a hit reports of a task. */
struct report {
	uint64_t cycle;
	uint64_t task, tp;   /* its address, and its tp; 0: not reported */
	uint64_t stack, top; /* of its stack the base, and an address up to which it
			      * reaches at least; 0: not reported */
	bool is_whole;	     /* `top` is the end of the stack */
	uint32_t pid, tgid;  /* or TR_TASK_NO_PID */
	bool has_comm;
	char comm[TASK_COMM];
};

/* Finds the fields of a probe that report tasks. */
struct task_probe tr_task_probe(const struct tr_probe_names *names, uint32_t probe);
/* Reads what a hit reports of a task. Returns false if it lacks a number, or both the
 * number and the name. */
bool tr_task_read(const struct task_fields *fields, const struct tr_hit *hit,
		  struct report *report);

#endif
