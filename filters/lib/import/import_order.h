/* SPDX-License-Identifier: Apache-2.0 */
/* Holds back what harts do, and gives it out in the order of (cycle, hart), for limits
 * that count in this order while a log has another. */
#ifndef TR_IMPORT_ORDER_H
#define TR_IMPORT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"

struct import_order;

/* A token, or an event. Both take `cycles` of their hart. */
struct import_item {
	uint64_t pc, bits;
	uint64_t next; /* address of the token after it */
	uint64_t cycles;
	struct tr_event *event; /* NULL: a token */
	bool has_bits;
};

/* Returns NULL without memory. */
struct import_order *tr_order_new(void);
void tr_order_free(struct import_order *order);

/* Begins the `i`th hart, of at most TR_MAX_HARTS, which has the number `hart`. */
void tr_order_begin(struct import_order *order, uint32_t i, uint32_t hart,
		    uint64_t cycle);
/* Append to what the `i`th hart does. Return false without memory. */
bool tr_order_put(struct import_order *order, uint32_t i, const struct import_item *item);
bool tr_order_put_event(struct import_order *order, uint32_t i,
			const struct tr_event *event);
/* Returns the number of items held. */
uint64_t tr_order_held(const struct import_order *order);
/* Returns the earliest cycle at which a hart with items begins; UINT64_MAX if there is
 * none. */
uint64_t tr_order_start(const struct import_order *order);
/* Returns the first item in order, which of the harts has it, and its cycle; NULL if
 * there is none. It is valid until the next call. */
const struct import_item *tr_order_first(const struct import_order *order, uint32_t *i,
					 uint64_t *cycle);
/* Drops the `i`th hart's first item. */
void tr_order_drop(struct import_order *order, uint32_t i);

#endif
