/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a kernel, as hits of probes report them: which task has a tp, or is on a
 * stack, at each time. tr-unwind(1), "Names of processes", has the fields of such probes.
 */
#ifndef TR_KERNEL_TASKS_H
#define TR_KERNEL_TASKS_H

#include "stream/reader.h"

struct tr_kernel_tasks;

/* Returns whether some probe has the fields of a task. */
bool tr_kernel_tasks_possible(const struct tr_probe_names *probes);

/* `changed`, which may be NULL, is called for a new task and for a new name of one; it
 * returns a status, which ends the call that it is called from. Returns NULL when out of
 * memory. */
struct tr_kernel_tasks *tr_kernel_tasks_new(const struct tr_probe_names *probes,
					    int (*changed)(void *user, uint32_t number),
					    void *user);
void tr_kernel_tasks_free(struct tr_kernel_tasks *tasks);

/* Takes the hits in a frame. Returns TR_OK, TR_E_NOMEM, or the status of `changed`. */
int tr_kernel_tasks_frame(struct tr_kernel_tasks *tasks, const struct tr_frame *frame);

/* Return the number of a place for tr_kernel_tasks_at(), UINT32_MAX if no task is known
 * there: that of a tp, or of the stack that contains sp in a cycle, or that has sp as its
 * end. Hits that come later may make another stack of it. */
uint32_t tr_kernel_tasks_of_tp(const struct tr_kernel_tasks *tasks, uint64_t tp);
uint32_t tr_kernel_tasks_of_stack(const struct tr_kernel_tasks *tasks, uint64_t sp,
				  uint64_t cycle);
/* Returns true if a place is a stack that can have had this sp, before a hit
 * reported its whole size. */
bool tr_kernel_tasks_can_be(const struct tr_kernel_tasks *tasks, uint32_t place,
			    uint64_t sp, uint64_t cycle);
/* Returns the task at a place in a cycle; before the first hit, that of this one.
 * UINT32_MAX: there were more tasks since than are kept. */
uint32_t tr_kernel_tasks_at(const struct tr_kernel_tasks *tasks, uint32_t place,
			    uint64_t cycle);

struct tr_kernel_task {
	uint32_t pid, tgid; /* or TR_TASK_NO_PID */
	uint32_t leader;    /* the task of its process */
	const char *comm; /* its last name so far, "" if unknown; valid until the next hit
			   */
};
/* Returns a task; they are numbered from 0. */
struct tr_kernel_task tr_kernel_tasks_get(const struct tr_kernel_tasks *tasks,
					  uint32_t number);

#endif
