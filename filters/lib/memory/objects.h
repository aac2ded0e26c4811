/* SPDX-License-Identifier: Apache-2.0 */
/* What was accessed: an object for each place, by its name, in order of first access, and
 * the lines of memory that each has touched. */
#ifndef TR_MEMORY_OBJECTS_H
#define TR_MEMORY_OBJECTS_H

#include "memory/memory.h"

struct tr_objects;

/* The options stay the caller's. Returns NULL when out of memory; tr_objects_free()
 * accepts NULL. */
struct tr_objects *tr_objects_new(const struct tr_memory_options *options);
void tr_objects_free(struct tr_objects *objects);
/* Returns the object at a place, valid until the next call, and its number; NULL when out
 * of memory. */
struct tr_memory_object *tr_objects_at(struct tr_objects *objects,
				       const struct tr_place *place, uint32_t *number);
/* Returns whether what is at a place may be a structure that instructions reach by a
 * pointer: not a variable, unless it is an array of bytes, from which programs such as an
 * RTOS allocate. */
bool tr_objects_by_insn(const struct tr_place *place);
/* Counts the line of a physical address, unless this object has touched it before.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_objects_touch(struct tr_objects *objects, uint32_t number, uint64_t physical);
/* Names the members that instructions access, by options.typed, and makes one object of
 * those of the same member. Returns TR_OK or TR_E_NOMEM. */
int tr_objects_name_types(struct tr_objects *objects);
/* Returns the number of lines that any has touched. */
uint32_t tr_objects_lines(const struct tr_objects *objects);
size_t tr_objects_count(const struct tr_objects *objects);
const struct tr_memory_object *tr_objects_get(const struct tr_objects *objects, size_t i);

#endif
