/* SPDX-License-Identifier: Apache-2.0 */
/* The working set over time: distinct lines and pages of physical memory in each slice of
 * the run. Memory grows with the lines that are accessed, and the slices. */
#ifndef TR_MEMORY_WORKING_SET_H
#define TR_MEMORY_WORKING_SET_H

#include "memory/lines.h"

enum { TR_SLICE_LEAST = 100000 }; /* cycles: harts may be apart by less than 3 slices */

struct tr_working_set;

struct tr_slice {
	uint64_t from; /* cycle */
	uint64_t loads, stores, atomics, missed, lost;
	uint64_t lines, pages;
	uint64_t fresh; /* lines that no earlier slice accessed, in order of the stream */
};

/* `line` is the size of a line, and `every` that of a slice, TR_SLICE_LEAST at least.
 * Returns NULL when out of memory; tr_working_set_free() accepts NULL. */
struct tr_working_set *tr_working_set_new(unsigned line, uint64_t every);
void tr_working_set_free(struct tr_working_set *s);
/* Adds an access, in the slice of its cycle. Returns TR_OK, TR_E_NOMEM, or
 * TR_E_UNSUPPORTED beyond 1,048,576 slices. */
int tr_working_set_add(struct tr_working_set *s, const struct tr_line_access *access);
/* Return the slices, from cycle 0 on; the last one has an access. */
size_t tr_working_set_count(const struct tr_working_set *s);
const struct tr_slice *tr_working_set_get(const struct tr_working_set *s, size_t i);

#endif
