/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a kernel, as hits of probes tell of them: which task is at an address,
 * which is its tp, at each time. tr-unwind(1), "Names of processes", has the fields of
 * such probes. */
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

/* Returns the number of an address for tr_kernel_tasks_at(), UINT32_MAX if no task
 * is known there. */
uint32_t tr_kernel_tasks_address(const struct tr_kernel_tasks *tasks, uint64_t tp);
/* Returns the task at an address in a cycle; before the first hit, that of this one. */
uint32_t tr_kernel_tasks_at(const struct tr_kernel_tasks *tasks, uint32_t address,
			    uint64_t cycle);

struct tr_kernel_task {
	uint32_t pid, tgid;
	uint32_t leader;  /* the task of its process */
	const char *comm; /* its last name so far, "" if unknown; valid until the next hit
			   */
};
/* Returns a task; they are numbered from 0. */
struct tr_kernel_task tr_kernel_tasks_get(const struct tr_kernel_tasks *tasks,
					  uint32_t number);

#endif
