/* SPDX-License-Identifier: Apache-2.0 */
/* Work that may crash, hang or eat memory, done in a child process. */
#ifndef TR_IMAGE_CHILD_H
#define TR_IMAGE_CHILD_H

#include "buffer.h"

struct image_child_limits {
	unsigned cpu_seconds;
	unsigned seconds;    /* of time on the wall, in case it does nothing */
	uint64_t memory;     /* bytes that it may take beyond the parent's */
	uint64_t most_bytes; /* of its result */
};

/* Runs `work` in a child process; what it adds to the empty `out` there is in
 * `out` here when the call returns. The child has no files but /dev/null. False
 * when there is no whole result, and then `problem` is "killed by signal 6", "no
 * answer within 60 s", … */
bool image_child_run(void (*work)(void *context, struct tr_buffer *out), void *context,
		     const struct image_child_limits *limits, struct tr_buffer *out,
		     char *problem, size_t problem_size);

#endif
