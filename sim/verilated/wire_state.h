/* SPDX-License-Identifier: Apache-2.0 */
/* State of a wire, shared by wire*.c: words become frames, which the kind of wire takes,
 * and frames that it delivers become words. */
#ifndef VERILATED_WIRE_STATE_H
#define VERILATED_WIRE_STATE_H

#include "wire.h"

struct wire_frame {
	struct wire_frame *next;
	uint64_t at; /* cycle of its first word; when delivered, the earliest one */
	unsigned size;
	uint8_t bytes[WIRE_FRAME];
};

struct wire {
	/* Takes a frame, which is then the wire's, in the cycle of its last word. */
	void (*sent)(struct wire *w, struct wire_frame *frame, uint64_t cycle);
	void (*release)(struct wire *w); /* frees what is behind `user`; may be NULL */
	void *user;
	uint64_t latency;

	bool up, sends; /* a frame is being sent */
	struct wire_frame *out;
	struct wire_frame *first, **last; /* to be delivered, in order */
	unsigned position;		  /* bytes of the first one that were delivered */
	uint64_t next, free; /* the cycle from which on the link to the core is free */
	const char *fault;
};

/* Returns NULL if memory runs out. */
struct wire *wire_new(void);
/* Delivers a frame from cycle frame->at on, after those before it. */
void wire_deliver(struct wire *w, struct wire_frame *frame);

#endif
