/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what a dictionary no longer uses, but views of it still point to: arrays that it
 * moved when they grew, and all of a generation when the next one begins. The dictionary
 * and each view hold the shelf, and the last one that releases it frees what it keeps. */
#ifndef TR_SHELF_H
#define TR_SHELF_H

#include <stdbool.h>

#include "base/buffer.h"

struct tr_shelf;

/* Returns an empty shelf with one holder, or NULL when out of memory. */
struct tr_shelf *tr_shelf_new(void);
/* Add and remove a holder, from any thread. NULL may be released. */
void tr_shelf_hold(struct tr_shelf *shelf);
void tr_shelf_release(struct tr_shelf *shelf);
/* Returns whether there are other holders. False remains true until the caller, being
 * the only one, adds one. NULL has none. */
bool tr_shelf_is_shared(const struct tr_shelf *shelf);
/* Puts away an array from malloc(), or the pages of an arena, which is then empty. Only
 * the dictionary does; the arena once. */
void tr_shelf_put(struct tr_shelf *shelf, void *array);
void tr_shelf_put_arena(struct tr_shelf *shelf, struct tr_arena *arena);

#endif
