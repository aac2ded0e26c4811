/* SPDX-License-Identifier: Apache-2.0 */
/* Memory maps of processes, read from the kernel's memory: which file is mapped where. */
#ifndef TRUTH_LINUX_MAPS_H
#define TRUTH_LINUX_MAPS_H

#include "task.h"

/* Finds the binary that the task has mapped at an address, and the address as linked.
 * Returns NULL if nothing is mapped there, or a file that is not one of the binaries. */
const struct binary *maps_find(const struct machine *m, const struct layout *layout,
			       const struct task *task, uint64_t address,
			       uint64_t *linked);

#endif
