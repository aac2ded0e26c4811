/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of a kernel, which it lists in `truth_areas` for the comparison. */
#ifndef AREAS_H
#define AREAS_H

#include <stdint.h>

enum { AREAS = 32, BOOT_TASKS = 16 };

/* A task begins at the end of its area; a boot's stack begins anywhere. On an interrupt
 * stack, the interrupted task runs. */
enum area_kind { AREA_TASK = 1, AREA_BOOT, AREA_INTERRUPT };

/* A stack from `begin` to `end`, physical addresses; the first one without an end ends
 * the list. `task` is another number for each task that is ever created, from BOOT_TASKS
 * on: lower ones are those of the harts' resets. */
struct truth_area {
	uint64_t begin, end;
	uint32_t task, kind;
};

#endif
