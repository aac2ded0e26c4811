/* SPDX-License-Identifier: Apache-2.0 */
/* One part of a stream that is being split: some rows and events of a source;
 * gaps stand for the rest, so that no cycle is lost. */
#ifndef TR_PART_H
#define TR_PART_H

#include <stdbool.h>

#include "stream/reader.h"
#include "stream/writer.h"

enum { TR_PART_REGS = 32 };

/* Rows of the newest frame, all in one context. */
struct tr_part_rows {
	const struct tr_row *rows;
	uint32_t count;
	uint64_t cycles, tokens; /* of all of them */
	uint64_t sp;		 /* what they add to sp */
};

/* Where a hart of the source is. */
struct tr_part_source {
	struct tr_context start, context;
	uint64_t start_cycle, cycle;
	uint64_t tokens;	     /* so far, those in gaps too */
	uint64_t regs[TR_PART_REGS]; /* as reported; x2 (sp) as it is now */
	uint32_t hart;
	uint32_t known; /* a bit for each register with a value */
};
/* At the beginning of a hart's first frame. */
void tr_part_source_begin(struct tr_part_source *source,
			  const struct tr_hart_frame *hart);
/* Goes over rows or an event, after the parts have had them. */
void tr_part_source_rows(struct tr_part_source *source, const struct tr_part_rows *rows);
void tr_part_source_event(struct tr_part_source *source, const struct tr_event *event);

struct tr_part;

/* Writes to `writer`, which stays the caller's. NULL when out of memory. */
struct tr_part *tr_part_new(struct tr_writer *writer);
void tr_part_free(struct tr_part *part);

/* These return TR_OK or what the writer did. `source` is where the hart is
 * before the rows or the event. */

int tr_part_rows(struct tr_part *part, const struct tr_part_source *source,
		 const struct tr_reader *reader, uint64_t generation,
		 const struct tr_part_rows *rows);
/* An event. When `foreign` its cycles belong to another part, and to the gap in
 * this one, which begins with it. */
int tr_part_event(struct tr_part *part, const struct tr_part_source *source,
		  const struct tr_event *event, bool foreign);
/* A gap up to where the source is. */
int tr_part_catch_up(struct tr_part *part, const struct tr_part_source *source);
/* For several harts: if the part had rows in the frame of the source that ends
 * here, its own frame ends here too, for all harts at the same cycle. */
int tr_part_end_frame(struct tr_part *part, const struct tr_part_source *sources,
		      uint32_t count);

#endif
