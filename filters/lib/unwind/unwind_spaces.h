/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces, numbered as by tr_note_space(): the binaries found in each, and which
 * one a new life of a satp ends. For its user, each has a list, of which it keeps the
 * first item.
 *
 * Functions that may fail call unwind_fail(). */
#ifndef TR_UNWIND_SPACES_H
#define TR_UNWIND_SPACES_H

#include "unwind/unwind.h"
#include "unwind/unwind_status.h"

enum { SPACE_OBJECTS = 32 }; /* the latest; beyond, binaries are forgotten */
#define SPACE_LIST_END UINT32_MAX

/* A binary in a space. */
struct space_object {
	uint64_t bias; /* pc minus address in the file */
	uint32_t binary;
};

struct tr_spaces;

/* Keeps the pointer. Returns NULL when out of memory. tr_spaces_free() accepts NULL. */
struct tr_spaces *tr_spaces_new(struct unwind_status *status);
void tr_spaces_free(struct tr_spaces *spaces);

/* Drops all spaces. */
void tr_spaces_clear(struct tr_spaces *spaces);
/* Returns the first item of a space, which it adds if it is new; NULL when out of memory.
 * Valid until a space is added or dropped. */
uint32_t *tr_spaces_list(struct tr_spaces *spaces, uint32_t number);

/* A binary was found in a space that has a list. */
void tr_spaces_found(struct tr_spaces *spaces, uint32_t number,
		     const struct space_object *object);
/* Gets the nth object of a space: the latest first, and at last the first that was found
 * there. Returns false beyond. */
bool tr_spaces_object(const struct tr_spaces *spaces, uint32_t number, uint32_t nth,
		      struct space_object *object);
/* Gets the first object that was found in a space. Returns false if there is none. */
bool tr_spaces_home(const struct tr_spaces *spaces, uint32_t number,
		    struct space_object *object);

/* User code runs in a context: a new life of a satp ends the previous one, which is
 * dropped. Returns its first item, or SPACE_LIST_END. */
uint32_t tr_spaces_see(struct tr_spaces *spaces, const struct tr_context *context);
/* Sorts the spaces, for tr_spaces_drop_oldest(). Returns false if they are too few to
 * drop any. */
bool tr_spaces_sort(struct tr_spaces *spaces);
/* Drops the least recently used space, and gets its first item. Returns false if none is
 * left but those of kernel and firmware, and the latest. */
bool tr_spaces_drop_oldest(struct tr_spaces *spaces, uint32_t *first);

/* Adds the spaces that tr_spaces_drop_oldest() has dropped. */
void tr_spaces_add_totals(const struct tr_spaces *spaces,
			  struct tr_unwind_totals *totals);

#endif
