/* SPDX-License-Identifier: Apache-2.0 */
/* Follows several harts in the order in which they access memory. Only order.c uses what
 * is in the state; the replay contains it, and it owns no memory. */
#ifndef REPLAY_ORDER_H
#define REPLAY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct replay;
struct tr_buffer;
struct tr_bytes;

struct order {
	uint64_t latest; /* cycle of all frames */
};

/* A hart's part of a frame ends in this cycle. */
void order_extend(struct replay *r, uint64_t cycle);
/* No frame follows; and frames follow again, from any cycle on. */
void order_end(struct replay *r);
void order_restart(struct replay *r);
/* Returns whether order_end() was called last. */
bool order_is_ended(const struct replay *r);

/* Runs all harts as far as their order is known, or until the replay stops. */
void replay_in_order(struct replay *r);

/* Save and load the state. */
void order_put(const struct replay *r, struct tr_buffer *out);
void order_load(struct replay *r, struct tr_bytes *in);

#endif
