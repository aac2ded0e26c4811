/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that cannot follow the one before: stream/continuity.h. */
#ifndef TR_BREAKS_H
#define TR_BREAKS_H

#include "base/report.h"
#include "stream/continuity.h"
#include "stream/header.h"
#include "stream/reader.h"
#include "stream/writer.h"

/* Room for the text of tr_breaks_text(). */
enum { TR_BREAKS_ROOM = 400 };

/* Writes how many of the instructions break, the first place and the likely reasons for a
 * stream of this header, without a line feed. */
void tr_breaks_text(char text[TR_BREAKS_ROOM], const struct tr_breaks *breaks,
		    uint64_t instructions, const struct tr_header *header);

/* Collects the breaks of a stream. All zero is empty. */
struct tr_break_list {
	bool is_complete;	/* keep all places, and check rows without BREAK events */
	struct tr_breaks sums;	/* of what was added */
	struct tr_table *table; /* of all places, if is_complete */
	/* If is_complete */
	bool has_events; /* the source has marked its breaks */
	struct tr_break_hart {
		struct tr_continuity continuity;
		uint64_t instructions, cycles; /* so far */
		uint64_t counted; /* address of the last row if it broke; else odd */
		uint32_t number;
	} * harts;
	size_t hart_room;
	uint32_t nharts;
	struct tr_exits *exits; /* of the generation's blocks */
	size_t count, room;
	uint64_t generation;
};

/* Adds a frame. Returns TR_OK or TR_E_NOMEM. */
int tr_break_list_add(struct tr_break_list *list, const struct tr_reader *reader,
		      const struct tr_frame *frame);
/* Adds what is known after the last frame, and writes the table "breaks" of all places.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_break_list_report(struct tr_break_list *list, struct tr_report *report);
void tr_break_list_release(struct tr_break_list *list);

#endif
