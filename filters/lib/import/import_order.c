/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of what harts do. */
#include "import/import_order.h"

#include <stdlib.h>
#include <string.h>

/* A ring: `count` items from `first` on. `now` is the cycle before them. */
struct queue {
	struct import_item *items;
	size_t room, first, count; /* room: a power of 2 */
	uint64_t now;
	uint32_t number;
};

struct import_order {
	struct queue harts[TR_MAX_HARTS];
	uint32_t nharts; /* beyond the last that began */
	uint64_t held;
};

struct import_order *tr_order_new(void)
{
	return calloc(1, sizeof(struct import_order));
}

void tr_order_free(struct import_order *order)
{
	for (uint32_t i = 0; order && i < order->nharts; i++) {
		while (order->harts[i].count)
			tr_order_drop(order, i);
		free(order->harts[i].items);
	}
	free(order);
}

void tr_order_begin(struct import_order *order, uint32_t i, uint32_t hart, uint64_t cycle)
{
	order->harts[i].number = hart;
	order->harts[i].now = cycle;
	if (order->nharts <= i)
		order->nharts = i + 1;
}

static bool enlarge_queue(struct queue *q)
{
	const size_t room = q->room ? 2 * q->room : 1024;
	struct import_item *items = malloc(room * sizeof(*items));
	if (!items)
		return false;
	for (size_t i = 0; i < q->count; i++)
		items[i] = q->items[(q->first + i) & (q->room - 1)];
	free(q->items);
	q->items = items;
	q->room = room;
	q->first = 0;
	return true;
}

bool tr_order_put(struct import_order *order, uint32_t i, const struct import_item *item)
{
	struct queue *q = &order->harts[i];
	if (q->count == q->room && !enlarge_queue(q))
		return false;
	q->items[(q->first + q->count++) & (q->room - 1)] = *item;
	order->held++;
	return true;
}

bool tr_order_put_event(struct import_order *order, uint32_t i,
			const struct tr_event *event)
{
	struct import_item item = {.cycles = event->cycles,
				   .event = malloc(sizeof(*event))};
	if (!item.event)
		return false;
	*item.event = *event;
	if (tr_order_put(order, i, &item))
		return true;
	free(item.event);
	return false;
}

uint64_t tr_order_held(const struct import_order *order)
{
	return order->held;
}

uint64_t tr_order_start(const struct import_order *order)
{
	uint64_t start = UINT64_MAX;
	for (uint32_t i = 0; i < order->nharts; i++)
		if (order->harts[i].count && order->harts[i].now < start)
			start = order->harts[i].now;
	return start;
}

const struct import_item *tr_order_first(const struct import_order *order, uint32_t *i,
					 uint64_t *cycle)
{
	const struct queue *first = NULL;
	for (uint32_t k = 0; k < order->nharts; k++) {
		const struct queue *q = &order->harts[k];
		if (!q->count)
			continue;
		const uint64_t end = q->now + q->items[q->first].cycles;
		if (first &&
		    (end > *cycle || (end == *cycle && q->number > first->number)))
			continue;
		first = q;
		*i = k;
		*cycle = end;
	}
	return first ? &first->items[first->first] : NULL;
}

void tr_order_drop(struct import_order *order, uint32_t i)
{
	struct queue *q = &order->harts[i];
	struct import_item *item = &q->items[q->first];
	q->now += item->cycles;
	free(item->event);
	q->first = (q->first + 1) & (q->room - 1);
	q->count--;
	order->held--;
}
