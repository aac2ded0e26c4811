/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of tasks. */
#ifndef TR_TASKS_TABLES_H
#define TR_TASKS_TABLES_H

#include "base/report.h"
#include "timeline/tasks.h"

/* Report the processes in the order of their tree, with the cycles that harts ran their
 * threads; and of each thread that was woken, the cycles from then until it ran. Return
 * TR_OK or TR_E_NOMEM. */
int tr_tasks_processes(const struct tr_tasks *, struct tr_report *);
int tr_tasks_wakeups(const struct tr_tasks *, struct tr_report *);

#endif
