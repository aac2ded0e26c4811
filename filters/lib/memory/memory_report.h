/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the accesses of a stream. */
#ifndef TR_MEMORY_REPORT_H
#define TR_MEMORY_REPORT_H

#include <stdio.h>

#include "base/report.h"
#include "memory/memory.h"

/* Says what is summed. */
void tr_memory_report_total(const struct tr_memory *m, unsigned width,
			    struct tr_report *report);

/* Reports the table "objects", those that lost most first; at most `limit` of them, and
 * the sum of the others, unless it is 0. `evidence`: with a column that says how they are
 * known. Returns TR_OK or TR_E_NOMEM. */
int tr_memory_report_objects(const struct tr_memory *m, const struct tr_classes *classes,
			     unsigned width, bool evidence, uint64_t limit,
			     struct tr_report *report);

/* Reports the table "lines", those that changed hands most often first, and "line_uses":
 * what each hart did at each offset of those of them that several harts have used.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_memory_report_lines(const struct tr_memory *m, const struct tr_lines *lines,
			   unsigned width, uint64_t limit, struct tr_report *report);

enum tr_memory_unit { TR_MEMORY_ACCESSES, TR_MEMORY_MISSED, TR_MEMORY_LOST };
/* Writes the stacks of allocations with the sums over the accesses to what they have
 * allocated, as "program;main;make 12", sorted; all else is one line. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_memory_write_folded(const struct tr_memory *m, enum tr_memory_unit unit,
			   FILE *file);

/* Reports the table "slices", without those that have no accesses. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_memory_report_slices(const struct tr_memory *m,
			    const struct tr_working_set *slices, unsigned width,
			    struct tr_report *report);

#endif
