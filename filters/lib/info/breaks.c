/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, lists and describes breaks of continuity. */
#include "info/breaks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

static const struct {
	const char *source, *reasons;
} likely[] = {
    {"qemu", "a log without -d nochain, lost lines, or several harts in one log"},
    {"trace_sink",
     "lanes swapped, commits lost, an intr_i that is never 1 or always, a pc_wdata_i "
     "that is not the next address, or an rd_wdata_i of another lane or without the data "
     "of a load"},
    {"trace",
     "commits of a cycle out of order, lost, or of several harts, an intr that is always "
     "true, a next_pc that is not the next address, or a write of sp that is missing or "
     "has another value"},
    {NULL, "several harts in one log, lost lines, or lines out of order"},
};

void tr_breaks_text(char text[TR_BREAKS_ROOM], const struct tr_breaks *breaks,
		    uint64_t instructions, const struct tr_header *header)
{
	const char *source = tr_header_get(header, "source");
	unsigned i = 0;
	while (likely[i].source && (!source || strcmp(source, likely[i].source) != 0))
		i++;
	snprintf(text, TR_BREAKS_ROOM,
		 "%" PRIu64 " of %" PRIu64 " instruction%s not follow the one before, "
		 "the first at 0x%" PRIx64 " after 0x%" PRIx64 " on hart %" PRIu32 ": %s",
		 breaks->count, instructions, instructions == 1 ? " does" : "s do",
		 breaks->first.to, breaks->first.from, breaks->hart, likely[i].reasons);
}

static const char *const headings[] = {"hart",	 "cycle",  "instruction", "<after",
				       "<comes", "breaks", NULL};
static const char *const keys[] = {"hart",  "cycle", "instruction",
				   "after", "comes", "breaks"};

/* Adds a place: `ordinal` instructions of the hart are before it. */
static int add_break_place(struct tr_break_list *list, uint32_t hart, uint64_t cycle,
			   uint64_t ordinal, const struct tr_break *broken)
{
	if (!list->sums.count) {
		list->sums.first = *broken;
		list->sums.hart = hart;
	}
	list->sums.count += broken->count;
	if (!list->is_complete)
		return TR_OK;
	if (!list->table)
		list->table = tr_table_new_keyed(headings, keys, NULL);
	if (!list->table)
		return TR_E_NOMEM;
	int status = tr_table_cell(list->table, "%" PRIu32, hart);
	if (!status)
		status = tr_table_cell(list->table, "%" PRIu64, cycle);
	if (!status)
		status = tr_table_cell(list->table, "%" PRIu64, ordinal);
	if (!status)
		status = tr_table_cell(list->table, "0x%" PRIx64, broken->from);
	if (!status)
		status = tr_table_cell(list->table, "0x%" PRIx64, broken->to);
	if (!status)
		status = tr_table_cell(list->table, "%" PRIu64, broken->count);
	return status;
}

/* Finds the exits of the blocks that are new in the frame. */
static int update_exits(struct tr_break_list *list, const struct tr_reader *reader,
			const struct tr_frame *frame)
{
	const unsigned isa = tr_header_isa(tr_reader_header(reader));
	const uint32_t count = tr_reader_block_count(reader);
	if (frame->generation != list->generation)
		list->count = 0;
	list->generation = frame->generation;
	if (!tr_grow(&list->exits, &list->room, count, sizeof(*list->exits)))
		return TR_E_NOMEM;
	for (; list->count < count; list->count++)
		list->exits[list->count] =
		    tr_block_exits(tr_reader_block(reader, (uint32_t)list->count), isa);
	return TR_OK;
}

/* Returns the hart, valid until the next call, or NULL when out of memory. */
static struct tr_break_hart *find_break_hart(struct tr_break_list *list, uint32_t number,
					     const struct tr_reader *reader)
{
	for (uint32_t i = 0; i < list->nharts; i++)
		if (list->harts[i].number == number)
			return &list->harts[i];
	if (!tr_grow(&list->harts, &list->hart_room, list->nharts + 1,
		     sizeof(*list->harts)))
		return NULL;
	struct tr_break_hart *hart = &list->harts[list->nharts++];
	*hart = (struct tr_break_hart){.number = number, .counted = 1};
	hart->continuity.infers_traps =
	    tr_header_lacks(tr_reader_header(reader), "traps");
	return hart;
}

/* A BREAK event that is behind its row was counted with the row. */
static int check_event(struct tr_break_list *list, struct tr_break_hart *hart,
		       struct tr_continuity *c, uint64_t cycle,
		       const struct tr_event *event)
{
	const struct tr_break broken = {
	    .from = c->last, .to = event->u.trap.epc, .count = 1};
	const bool follows = tr_continuity_event(c, event);
	list->has_events |= event->kind == TR_EV_BREAK;
	if (event->kind == TR_EV_BREAK && event->u.broken.to == hart->counted) {
		hart->counted = 1;
		return TR_OK;
	}
	if (event->kind == TR_EV_BREAK)
		return add_break_place(list, hart->number, cycle, hart->instructions,
				       &event->u.broken);
	return follows ? TR_OK
		       : add_break_place(list, hart->number, cycle, hart->instructions,
					 &broken);
}

static int check_rows(struct tr_break_list *list, struct tr_break_hart *hart,
		      uint64_t cycle, const struct tr_row *rows, uint32_t count)
{
	struct tr_continuity *c = &hart->continuity;
	int status = TR_OK;
	for (uint32_t r = 0; r < count && !status; r++) {
		const struct tr_exits *exits = &list->exits[rows[r].block];
		const struct tr_break broken = {
		    .from = c->last, .to = exits->pc & ~UINT64_C(1), .count = 1};
		const bool follows = tr_continuity_row(c, exits);
		hart->counted = follows ? 1 : broken.to;
		if (!follows)
			status = add_break_place(list, hart->number, cycle,
						 hart->instructions, &broken);
		cycle += rows[r].cycles;
		hart->instructions += rows[r].tokens;
	}
	return status;
}

static int check_hart(struct tr_break_list *list, const struct tr_reader *reader,
		      const struct tr_hart_frame *frame)
{
	struct tr_break_hart *hart = find_break_hart(list, frame->hart, reader);
	struct tr_cursor cursor;
	const struct tr_event *event;
	uint32_t first, last;
	enum tr_step step;
	int status = hart ? TR_OK : TR_E_NOMEM;
	if (hart)
		hart->cycles = frame->end_cycle;
	tr_cursor_init(&cursor, frame);
	while (!status && (step = tr_cursor_next(&cursor, &first, &last, &event)))
		status =
		    step == TR_STEP_EVENT
			? check_event(list, hart, &hart->continuity, cursor.cycle, event)
			: check_rows(list, hart, cursor.cycle, &frame->rows[first],
				     last - first);
	return status;
}

static int add_events(struct tr_break_list *list, const struct tr_hart_frame *hart)
{
	int status = TR_OK;
	for (uint32_t e = 0; e < hart->nevents && !status; e++)
		if (hart->events[e].kind == TR_EV_BREAK)
			status = add_break_place(list, hart->hart, 0, 0,
						 &hart->events[e].u.broken);
	return status;
}

int tr_break_list_add(struct tr_break_list *list, const struct tr_reader *reader,
		      const struct tr_frame *frame)
{
	int status = list->is_complete ? update_exits(list, reader, frame) : TR_OK;
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status = list->is_complete ? check_hart(list, reader, &frame->harts[i])
					   : add_events(list, &frame->harts[i]);
	return status;
}

/* A stream without BREAK events may have handlers that never returned. */
static int add_rest(struct tr_break_list *list)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < list->nharts; i++) {
		const struct tr_break_hart *hart = &list->harts[i];
		const struct tr_continuity *c = &hart->continuity;
		for (uint32_t k = 0; k < c->nhandlers && !status; k++) {
			const struct tr_break rest = tr_continuity_rest(c, k);
			if (rest.count)
				status = add_break_place(list, hart->number, hart->cycles,
							 hart->instructions, &rest);
		}
	}
	return status;
}

int tr_break_list_report(struct tr_break_list *list, struct tr_report *report)
{
	const int status = list->has_events ? TR_OK : add_rest(list);
	if (status || !list->table)
		return status;
	tr_report_say(report, "breaks\n");
	struct tr_table *table = list->table;
	list->table = NULL;
	return tr_report_table(report, "breaks", table);
}

void tr_break_list_release(struct tr_break_list *list)
{
	tr_table_free(list->table);
	free(list->exits);
	free(list->harts);
}
