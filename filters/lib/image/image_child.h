/* SPDX-License-Identifier: Apache-2.0 */
/* Work that may crash, hang or eat memory, done in a child process. */
#ifndef TR_IMAGE_CHILD_H
#define TR_IMAGE_CHILD_H

#include "base/buffer.h"

struct image_child_limits {
	unsigned cpu_seconds;
	unsigned seconds;    /* of time on the wall, in case it does nothing */
	uint64_t memory;     /* bytes that it may take beyond the parent's */
	uint64_t most_bytes; /* of its result */
};

struct image_child {
	int pid, fd; /* fd: its result; -1 when there is no child */
	struct image_child_limits limits;
	char problem[80];
};

/* Starts `work` in a child process, which has no files but /dev/null. */
void image_child_start(struct image_child *child,
		       void (*work)(void *context, struct tr_buffer *out), void *context,
		       const struct image_child_limits *limits);
/* Waits for the child, once for each start. What its `work` added to the empty `out`
 * there is in the empty `out` here then. False when there is no whole result: the
 * problem is "killed by signal 6", "no answer within 60 s", … */
bool image_child_finish(struct image_child *child, struct tr_buffer *out);

#endif
