/* SPDX-License-Identifier: Apache-2.0 */
/* References to frames, and their storage. */
#include "stream/frame_state.h"

#include <stdlib.h>

struct tr_frame_pool {
	atomic_uint users;		       /* the reader and the frames in use */
	_Atomic(struct frame_cell *) returned; /* by any thread, the last one first */
	struct frame_cell *spare;	       /* of the thread that decodes */
};

struct tr_frame_pool *tr_frame_pool_new(void)
{
	struct tr_frame_pool *pool = calloc(1, sizeof(*pool));
	if (!pool)
		return NULL;
	atomic_init(&pool->users, 1);
	atomic_init(&pool->returned, NULL);
	return pool;
}

static void free_cells(struct frame_cell *cell)
{
	while (cell) {
		struct frame_cell *next = cell->next;
		for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
			free(cell->parts[i].rows);
			free(cell->parts[i].events);
		}
		free(cell->notes);
		tr_arena_reset(&cell->runs);
		tr_buffer_free(&cell->bytes);
		free(cell);
		cell = next;
	}
}

void tr_frame_pool_free(struct tr_frame_pool *pool)
{
	if (!pool ||
	    atomic_fetch_sub_explicit(&pool->users, 1, memory_order_acq_rel) != 1)
		return;
	free_cells(pool->spare);
	free_cells(atomic_load_explicit(&pool->returned, memory_order_relaxed));
	free(pool);
}

struct frame_cell *tr_frame_take(struct tr_frame_pool *pool)
{
	if (!pool->spare)
		pool->spare =
		    atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
	struct frame_cell *cell = pool->spare;
	if (cell)
		pool->spare = cell->next;
	else if (!(cell = calloc(1, sizeof(*cell))))
		return NULL;
	atomic_fetch_add_explicit(&pool->users, 1, memory_order_relaxed);
	atomic_store_explicit(&cell->holders, 1, memory_order_relaxed);
	cell->pool = pool;
	cell->next = NULL;
	tr_arena_reset(&cell->runs);
	cell->frame = (struct tr_frame){0};
	return cell;
}

const struct tr_frame *tr_frame_hold(const struct tr_frame *frame)
{
	struct frame_cell *cell = (struct frame_cell *)(uintptr_t)frame;
	atomic_fetch_add_explicit(&cell->holders, 1, memory_order_relaxed);
	return frame;
}

void tr_frame_release(const struct tr_frame *frame)
{
	struct frame_cell *cell = (struct frame_cell *)(uintptr_t)frame;
	if (!cell ||
	    atomic_fetch_sub_explicit(&cell->holders, 1, memory_order_acq_rel) != 1)
		return;
	struct tr_frame_pool *pool = cell->pool;
	tr_shelf_release(cell->shelf);
	cell->shelf = NULL;
	struct frame_cell *last =
	    atomic_load_explicit(&pool->returned, memory_order_relaxed);
	do
		cell->next = last;
	while (!atomic_compare_exchange_weak_explicit(
	    &pool->returned, &last, cell, memory_order_release, memory_order_relaxed));
	tr_frame_pool_free(pool);
}
