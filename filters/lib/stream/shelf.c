/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps arrays of a dictionary for the views that point to them. */
#include "stream/shelf.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Two arrays that double from 64 entries to 2^32 at most move 26 times each, and are put
 * away once more at the end of the generation. */
enum { SHELF_ARRAYS = 64 };

struct tr_shelf {
	atomic_uint holders;
	unsigned count;
	void *arrays[SHELF_ARRAYS];
	struct tr_arena arena;
};

struct tr_shelf *tr_shelf_new(void)
{
	struct tr_shelf *shelf = calloc(1, sizeof(*shelf));
	if (shelf)
		atomic_init(&shelf->holders, 1);
	return shelf;
}

void tr_shelf_hold(struct tr_shelf *shelf)
{
	atomic_fetch_add_explicit(&shelf->holders, 1, memory_order_relaxed);
}

void tr_shelf_release(struct tr_shelf *shelf)
{
	if (!shelf ||
	    atomic_fetch_sub_explicit(&shelf->holders, 1, memory_order_acq_rel) != 1)
		return;
	for (unsigned i = 0; i < shelf->count; i++)
		free(shelf->arrays[i]);
	tr_arena_reset(&shelf->arena);
	free(shelf);
}

bool tr_shelf_is_shared(const struct tr_shelf *shelf)
{
	return shelf && atomic_load_explicit(&shelf->holders, memory_order_acquire) != 1;
}

void tr_shelf_put(struct tr_shelf *shelf, void *array)
{
	shelf->arrays[shelf->count++] = array;
}

void tr_shelf_put_arena(struct tr_shelf *shelf, struct tr_arena *arena)
{
	shelf->arena = *arena;
	*arena = (struct tr_arena){0};
}
