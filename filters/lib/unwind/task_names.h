/* SPDX-License-Identifier: Apache-2.0 */
/* Gives threads and processes their pids and names, from the tasks of a kernel
 * (stream/kernel_tasks.h).
 *
 * It is between the unwinder and the writer of stacks:
 *
 *	tr_task_names_frame(n, frame); // before the unwinder gets the frame
 *	...
 *	tr_task_names_thread(n, &thread); // in place of writing a thread
 *	tr_task_names_row(n, hart, process, &where, &row); // before writing a row
 *
 * A thread of a kernel in S-mode is the task with its tp. Any other one is the task whose
 * stack it runs on, and remains that while handlers run on other stacks; or else the task
 * that has its tp where a hart continues the thread, since code that switches tasks may
 * set tp before or after sp.
 *
 * A kernel reuses the memory of a task that has ended for a new one, with the same tp;
 * the unwinder's thread of that tp then stands for both. Here each task gets a thread of
 * its own. */
#ifndef TR_TASK_NAMES_H
#define TR_TASK_NAMES_H

#include "stream/reader.h"
#include "stream/writer.h"
#include "unwind/unwind.h"

struct tr_task_names;

/* Both remain the caller's. Returns NULL when out of memory. */
struct tr_task_names *tr_task_names_new(const struct tr_probe_names *probes,
					struct tr_writer *writer);
void tr_task_names_free(struct tr_task_names *names);

/* Takes the hits in a frame. Returns TR_OK, TR_E_NOMEM, or an error of the writer. */
int tr_task_names_frame(struct tr_task_names *names, const struct tr_frame *frame);
/* Writes the next thread; its name must live as long as `names`. Returns a status. */
int tr_task_names_thread(struct tr_task_names *names, const struct tr_thread *thread);
/* Gives a thread another name, which counts if it has no task. Returns a status. */
int tr_task_names_rename(struct tr_task_names *names, const struct tr_sname *name);
/* The thread has had this tp all the time. Returns a status. */
int tr_task_names_tp(struct tr_task_names *names, const struct tr_stp *tp);
/* Sets the thread of the hart's next row, which begins at `where`, to that of its task,
 * of which `process` is that of the row's context. Returns a status. */
int tr_task_names_row(struct tr_task_names *names, uint32_t hart, uint32_t process,
		      const struct tr_unwind_where *where, struct tr_srow *row);

#endif
