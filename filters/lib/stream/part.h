/* SPDX-License-Identifier: Apache-2.0 */
/* One output stream of a split: a subset of the source's rows and events. Gaps stand for
 * the rest, so that no cycle is lost. */
#ifndef TR_PART_H
#define TR_PART_H

#include <stdbool.h>

#include "stream/reader.h"
#include "stream/writer.h"

enum { TR_PART_REGS = 32 };

/* Rows of the current frame, all in one context. */
struct tr_part_rows {
	const struct tr_row *rows;
	uint32_t count;
	uint64_t cycles, tokens; /* totals over the rows */
	uint64_t sp;		 /* sum of their additions to sp */
	/* Addresses of the frame, in which these rows are those from `first` on of part
	 * `part`; NULL: none. */
	const struct tr_accesses *accesses;
	uint32_t part, first;
};

/* Position of a hart in the source. */
struct tr_part_source {
	struct tr_context start, context;
	uint64_t start_cycle, cycle;
	uint64_t tokens;	     /* so far, including those in gaps */
	uint64_t regs[TR_PART_REGS]; /* last reported values; x2 (sp) is kept current */
	uint32_t hart;
	uint32_t known; /* one bit for each register with a known value */
	unsigned xlen;
};
/* Initialises the position from a hart's first frame; `xlen` is that of the stream. */
void tr_part_source_begin(struct tr_part_source *source, const struct tr_hart_frame *hart,
			  unsigned xlen);
/* Advances past rows or an event, after the parts have taken them. */
void tr_part_source_rows(struct tr_part_source *source, const struct tr_part_rows *rows);
void tr_part_source_event(struct tr_part_source *source, const struct tr_event *event);

struct tr_part;

/* Creates a part that writes to `writer`, which the caller keeps. Returns NULL when out
 * of memory. */
struct tr_part *tr_part_new(struct tr_writer *writer);
void tr_part_free(struct tr_part *part);

/* Appends rows. `source` is the position before the rows, as in the calls below. Returns
 * TR_OK or the writer's error. */

int tr_part_rows(struct tr_part *part, const struct tr_part_source *source,
		 const struct tr_reader *reader, uint64_t generation,
		 const struct tr_part_rows *rows);
/* Appends an event. With `foreign` its cycles belong to another part and to the gap in
 * this one, which begins with it. Returns TR_OK or the writer's error. */
int tr_part_event(struct tr_part *part, const struct tr_part_source *source,
		  const struct tr_event *event, bool foreign);
/* Adds a gap up to the source's position. Returns TR_OK or the writer's error. */
int tr_part_catch_up(struct tr_part *part, const struct tr_part_source *source);
/* For several harts: if the part has rows in the source's frame that ends here, ends its
 * own frame as well, at the same cycle for all harts. Returns TR_OK or the writer's
 * error. */
int tr_part_end_frame(struct tr_part *part, const struct tr_part_source *sources,
		      uint32_t count);

#endif
