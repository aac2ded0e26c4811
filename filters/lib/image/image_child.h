/* SPDX-License-Identifier: Apache-2.0 */
/* Runs work that may crash, hang or exhaust memory in a child process. */
#ifndef TR_IMAGE_CHILD_H
#define TR_IMAGE_CHILD_H

#include "base/buffer.h"

struct image_child_limits {
	unsigned cpu_seconds;
	unsigned seconds;    /* wall-clock time, in case it blocks */
	uint64_t memory;     /* bytes that it may use beyond the parent's */
	uint64_t most_bytes; /* of the result */
};

struct image_child {
	int pid, fd; /* fd carries the result; -1 without a child */
	struct image_child_limits limits;
	char problem[80];
};

/* Starts `work` in a child process whose only open file is /dev/null. */
void tr_image_child_start(struct image_child *child,
			  void (*work)(void *context, struct tr_buffer *out),
			  void *context, const struct image_child_limits *limits);
/* Waits for the child; call once per start. Copies what `work` added to its `out` into
 * the empty `out` here. Returns false when the result is incomplete; child->problem is
 * then "killed by signal 6", "no answer within 60 s", … */
bool tr_image_child_finish(struct image_child *child, struct tr_buffer *out);

#endif
