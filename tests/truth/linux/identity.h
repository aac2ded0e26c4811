/* SPDX-License-Identifier: Apache-2.0 */
/* Who a task is, read from the memory of the machine, in Linux from 5.10 on. */
#ifndef TRUTH_LINUX_IDENTITY_H
#define TRUTH_LINUX_IDENTITY_H

#include "task.h"

struct identity_layout {
	uint64_t pid, tgid, parent, comm, state;
};
enum { IDENTITY_PID, IDENTITY_TGID, IDENTITY_PPID, IDENTITY_STATE, IDENTITY_NUMBERS };
struct identity {
	uint32_t numbers[IDENTITY_NUMBERS];
	char comm[TASK_COMM];
	/* Memory that cannot be read: no MMU yet; no parent, since tp is half written. */
	bool is_missing, is_orphan;
};

/* Returns false, after a message, if the kernel's DWARF lacks a member. */
bool identity_layout(struct identity_layout *layout, const struct binary *kernel);
void identity_read(const struct machine *m, const struct identity_layout *layout,
		   uint64_t task, struct identity *identity);

#endif
