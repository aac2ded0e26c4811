/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes that each return some bytes, in any order. */
#ifndef SAMPLE_CHILDREN_H
#define SAMPLE_CHILDREN_H

#include "base/buffer.h"

enum { CHILDREN_MAX = 256 };

/* What a child has left, by its number from 0. */
struct child_result {
	struct tr_buffer bytes;
	bool ended, failed;
};

struct children {
	unsigned most; /* at a time, up to CHILDREN_MAX */
	struct child_result *results;
	size_t n, room;
	unsigned running;
	struct child_process {
		int pid, fd;
		size_t number;
	} processes[CHILDREN_MAX];
};

/* Starts a child, when fewer than `most` are running. Returns 0 in the child, which calls
 * children_leave(), with *fd; its number plus 1 in the parent; -1 if that fails: errno is
 * set. */
long children_start(struct children *c, int *fd);
/* In the child: sends its bytes, and ends. */
_Noreturn void children_leave(int fd, const struct tr_buffer *bytes);
/* Waits until this child has ended; its number is below `n`. */
void children_wait(struct children *c, size_t number);
/* Ends all at once, and frees the results. */
void children_free(struct children *c);

#endif
