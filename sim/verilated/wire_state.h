/* SPDX-License-Identifier: Apache-2.0 */
/* State of a wire, shared by wire*.c: words become frames, which the kind of wire takes,
 * and frames that it delivers become words. */
#ifndef VERILATED_WIRE_STATE_H
#define VERILATED_WIRE_STATE_H

#include "net/segment.h"
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
	bool (*sync)(struct wire *w, uint64_t cycle);  /* wire_sync(); may be NULL */
	void (*leave)(struct wire *w, uint64_t cycle); /* wire_leave(); may be NULL */
	void (*release)(struct wire *w); /* frees what is behind `user`; may be NULL */
	void *user;
	uint64_t latency;
	struct net_options rate; /* of its words: net_cycles() */
	uint64_t turn;		 /* cycle of the next wire_sync(), or UINT64_MAX */
	FILE *pcap;		 /* or NULL */
	uint64_t origin;	 /* cycle 0 of the network's time */

	bool up, sends;	     /* a frame is being sent */
	uint64_t sends_next; /* cycle from which on the next word may be sent */
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
