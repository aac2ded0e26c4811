/* SPDX-License-Identifier: Apache-2.0 */
/* The difference between the model and the trace that ends a replay: the first one, or
 * why the trace cannot be replayed. Only difference.c and the functions of lane.h use
 * what is in it; the replay contains it, and it owns no memory. */
#ifndef REPLAY_DIFFERENCE_H
#define REPLAY_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct replay;
struct tr_reader;

enum { REPLAY_MESSAGE = 512 };

struct difference {
	const struct tr_reader *reader; /* for the place of the frame */
	bool exists;
	uint64_t instret; /* instructions of the hart before it */
	char message[REPLAY_MESSAGE];
};

/* Sets the difference of a replay to none. The reader remains the caller's. */
void difference_create(struct replay *r, const struct tr_reader *reader);
/* Forgets it. */
void difference_forget(struct replay *r);

/* Notes a difference at the instruction after `instret` others of the hart, unless one is
 * known that comes before it. */
void replay_fail(struct lane *l, uint64_t instret, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes that what a frame has of the hart cannot be followed. */
void replay_fail_frame(struct replay *r, unsigned hart, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes that the trace cannot be followed, or that memory ran out. */
void replay_fail_trace(struct replay *r, const char *message);

#endif
