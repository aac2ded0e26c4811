/* SPDX-License-Identifier: Apache-2.0 */
/* The answers about marks: the table of tr-timeline, and the points and regions over
 * time. Both come of the marks taken once more, as tr-timeline takes them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"
#include "flame/picture.h"
#include "timeline/marks.h"

enum { MOST_ROWS = 8 };

/* What is taken once more. */
struct taken {
	const struct tr_explore *x;
	const struct tr_explore_choice *choice;
	uint64_t from, to; /* cycles */
	struct tr_marks *marks;
};

/* An end where the window begins is of a region before it, and a begin where it ends of
 * one behind it. */
static bool is_taken(const struct taken *t, const struct explore_mark *mark)
{
	return (t->choice->process == TR_EXPLORE_ALL ||
		t->choice->process == mark->process) &&
	       (t->choice->thread == TR_EXPLORE_ALL ||
		t->choice->thread == mark->thread) &&
	       (mark->kind == TR_MARK_END ? mark->cycle > t->from
					  : mark->cycle >= t->from) &&
	       (mark->kind == TR_MARK_BEGIN ? mark->cycle < t->to : mark->cycle <= t->to);
}

/* Takes the marks of a choice between two cycles. Returns a status. */
static int take_marks(struct taken *t)
{
	const struct tr_explore *x = t->x;
	int status = TR_OK;
	for (size_t i = 0; i < x->nmarks && !status; i++) {
		const struct explore_mark *from = &x->marks[i];
		const struct tr_mark mark = {.kind = from->kind};
		if (is_taken(t, from))
			status =
			    tr_marks_take(t->marks,
					  &(struct tr_mark_place){.hart = from->hart,
								  .thread = from->track,
								  .track = from->thread,
								  .ran = from->ran},
					  from->cycle, &mark, x->mark_names[from->name]);
	}
	for (uint32_t track = 0; track < x->ntracks && !status; track++)
		status = tr_marks_finish(
		    t->marks, &(struct tr_mark_place){.thread = track, .ran = UINT64_MAX},
		    x->end);
	return status;
}

static bool is_choice(const struct tr_explore *x, const struct tr_explore_choice *choice)
{
	return choice->from < choice->to &&
	       (choice->thread == TR_EXPLORE_ALL || choice->thread < x->threads.count) &&
	       (choice->process == TR_EXPLORE_ALL ||
		choice->process < x->processes.count);
}

/* ------------------------------------------------------------ the table */

/* Writes a row: number of the name, name, kind, count, open, stray, cycles, self, away,
 * least, median, 99 % and most. Returns a status. */
static int write_tally(struct tr_explore *x, const struct tr_marks *marks, uint32_t i,
		       FILE *file)
{
	const struct tr_tally *tally = &tr_marks_tallies(marks)->tallies[i];
	uint64_t median, p99;
	if (!tr_durations_quantile(&tally->cycles, 50, &median) ||
	    !tr_durations_quantile(&tally->cycles, 99, &p99))
		return TR_E_NOMEM;
	fprintf(file, "[%" PRIu32 ",", tr_explore_mark_name(x, tally->key.name));
	tr_flame_quoted(file, tally->key.name);
	fprintf(file,
		",\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64,
		tally->key.what, tally->cycles.count + tally->open, tally->open,
		tr_marks_stray(marks, i), tally->total, tr_marks_self(marks, i),
		tally->away);
	if (tally->cycles.count)
		fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
			tally->cycles.min, median, p99, tally->cycles.max);
	putc(']', file);
	return TR_OK;
}

static int write_table(struct tr_explore *x, const struct taken *t, FILE *file)
{
	const struct tr_tallies *tallies = tr_marks_tallies(t->marks);
	uint32_t *order = tr_tallies_sorted(tallies);
	int status = order ? TR_OK : TR_E_NOMEM;
	fprintf(file,
		"{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"left_out\":%" PRIu64
		",\"deep\":%" PRIu64 ",\"rows\":[",
		t->from, t->to, x->marks_left_out, x->marks_deep);
	for (uint32_t i = 0; i < tallies->count && !status; i++) {
		fputs(i ? ",\n" : "\n", file);
		status = write_tally(x, t->marks, order[i], file);
	}
	fputs("]}\n", file);
	free(order);
	return status;
}

int tr_explore_marks(struct tr_explore *x, const struct tr_explore_choice *choice,
		     FILE *file)
{
	const uint64_t slices = tr_explore_slices(x), length = x->length;
	struct taken t = {.x = x, .choice = choice, .to = UINT64_MAX};
	if (!is_choice(x, choice))
		return TR_E_ARGUMENT;
	t.from = choice->from / length * length;
	if (choice->to / length < slices)
		t.to = (choice->to / length + (choice->to % length != 0)) * length;
	t.marks = tr_marks_new();
	int status = t.marks ? take_marks(&t) : TR_E_NOMEM;
	if (!status)
		status = write_table(x, &t, file);
	tr_marks_free(t.marks);
	return status;
}

/* ------------------------------------------------------------ over time */

/* A point or a region; or several, that are too narrow to be told apart. */
struct box {
	uint64_t start, end;
	uint32_t name;	/* UINT32_MAX: several */
	uint32_t nth;	/* of the name, from 1 */
	uint32_t count; /* 1, or of several */
	uint32_t track, thread, row;
	bool is_open;
};

struct boxes {
	struct tr_explore *x;
	struct box *list;
	size_t count, room;
	uint32_t track; /* of the mark that is taken */
};

static int take_box(void *context, const struct tr_mark_event *event)
{
	struct boxes *b = context;
	const bool is_point = event->kind == TR_MARK_POINT;
	if (event->kind == TR_MARK_BEGIN || event->is_stray)
		return TR_OK;
	if (!tr_grow(&b->list, &b->room, b->count + 1, sizeof(*b->list)))
		return TR_E_NOMEM;
	b->list[b->count++] =
	    (struct box){.start = is_point ? event->cycle : event->start,
			 .end = event->cycle,
			 .name = tr_explore_mark_name(b->x, event->name),
			 .count = 1,
			 .track = event->thread,
			 .thread = event->track,
			 .row = is_point ? 0 : event->depth + 1,
			 .is_open = event->is_open};
	return TR_OK;
}

static int by_start(const void *left, const void *right)
{
	const struct box *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	return a->row != b->row ? (a->row < b->row ? -1 : 1)
				: (a->name > b->name) - (a->name < b->name);
}

static int by_row(const void *left, const void *right)
{
	const struct box *a = left, *b = right;
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return by_start(left, right);
}

/* Lists the points and regions of a choice, numbered. Returns a status. */
static int list_boxes(struct boxes *b, const struct tr_explore_choice *choice)
{
	struct taken t = {.x = b->x, .choice = choice, .to = UINT64_MAX};
	uint32_t *counts = calloc(b->x->nmark_names + 1, sizeof(*counts));
	t.marks = tr_marks_new();
	int status = t.marks && counts ? TR_OK : TR_E_NOMEM;
	if (!status) {
		tr_marks_observe(t.marks, take_box, b);
		status = take_marks(&t);
	}
	if (!status && b->count)
		qsort(b->list, b->count, sizeof(*b->list), by_start);
	for (size_t i = 0; i < b->count && !status; i++)
		b->list[i].nth = ++counts[b->list[i].name];
	tr_marks_free(t.marks);
	free(counts);
	return status;
}

static void write_box(const struct box *box, bool is_first, FILE *file)
{
	fprintf(file, "%s[%" PRIu64 ",%" PRIu64 ",", is_first ? "" : ",", box->start,
		box->end);
	if (box->name == UINT32_MAX)
		fputs("-1", file);
	else
		fprintf(file, "%" PRIu32, box->name);
	fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%d]", box->nth, box->count, box->is_open);
}

/* Adds a box to one in the same row and pixel, if both are narrower than that. Returns
 * false if they stay apart. */
static bool join_box(struct box *to, const struct box *box, uint64_t pixel)
{
	if (to->end - to->start >= pixel || box->end - box->start >= pixel ||
	    to->start / pixel != box->start / pixel)
		return false;
	if (to->name != box->name)
		to->name = UINT32_MAX;
	if (box->end > to->end)
		to->end = box->end;
	to->count++;
	return true;
}

/* Writes the boxes of a row. Returns the first of the next row. */
static size_t write_row(const struct boxes *b, size_t i,
			const struct tr_explore_choice *choice, uint64_t pixel,
			FILE *file)
{
	const struct box *first = &b->list[i];
	struct box open = {0};
	bool any = false;
	for (; i < b->count && b->list[i].track == first->track &&
	       b->list[i].row == first->row;
	     i++) {
		const struct box *box = &b->list[i];
		if (box->end < choice->from || box->start > choice->to)
			continue;
		if (open.count && join_box(&open, box, pixel))
			continue;
		if (open.count) {
			write_box(&open, !any, file);
			any = true;
		}
		open = *box;
	}
	if (open.count)
		write_box(&open, !any, file);
	return i;
}

static void write_rows(const struct boxes *b, const struct tr_explore_choice *choice,
		       FILE *file)
{
	const uint64_t end = choice->to < b->x->end ? choice->to : b->x->end;
	const uint64_t from = choice->from < end ? choice->from : end;
	const uint64_t pixel = choice->width && (end - from) / choice->width
				   ? (end - from) / choice->width
				   : 1;
	size_t rows = 0;
	fputs("{\"names\":[", file);
	for (size_t i = 0; i < b->x->nmark_names; i++) {
		fputs(i ? "," : "", file);
		tr_flame_quoted(file, b->x->mark_names[i]);
	}
	fputs("],\n\"rows\":[", file);
	for (size_t i = 0; i < b->count; rows++) {
		const struct box *first = &b->list[i];
		const bool is_shown = rows < MOST_ROWS || !choice->width;
		if (is_shown) {
			fprintf(file, "%s[%" PRIu32 ",", rows ? ",\n" : "\n",
				first->thread);
			tr_flame_quoted(file, b->x->threads.list[first->thread].name);
			fprintf(file, ",%" PRIu32 ",[", first->row);
			i = write_row(b, i, choice, pixel, file);
			fputs("]]", file);
		}
		while (!is_shown && i < b->count && b->list[i].track == first->track &&
		       b->list[i].row == first->row)
			i++;
	}
	fprintf(file, "],\n\"all_rows\":%zu}\n", rows);
}

int tr_explore_regions(struct tr_explore *x, const struct tr_explore_choice *choice,
		       FILE *file)
{
	struct boxes b = {.x = x};
	if (!is_choice(x, choice))
		return TR_E_ARGUMENT;
	const int status = list_boxes(&b, choice);
	if (!status && b.count)
		qsort(b.list, b.count, sizeof(*b.list), by_row);
	if (!status)
		write_rows(&b, choice, file);
	free(b.list);
	return status;
}

int tr_explore_region(struct tr_explore *x, const struct tr_explore_choice *choice,
		      uint32_t name, uint32_t nth, FILE *file)
{
	struct boxes b = {.x = x};
	uint64_t most = 0;
	if (!is_choice(x, choice) || name >= x->nmark_names)
		return TR_E_ARGUMENT;
	const int status = list_boxes(&b, choice);
	const struct box *found = NULL;
	uint32_t count = 0;
	for (size_t i = 0; i < b.count && !status; i++) {
		const struct box *box = &b.list[i];
		if (box->name != name)
			continue;
		const uint64_t cycles = box->end - box->start;
		count++;
		if (nth ? box->nth == nth : !box->is_open && (!found || cycles > most)) {
			found = box;
			most = cycles;
		}
	}
	fputs("{\"region\":", file);
	if (found)
		write_box(found, true, file);
	else
		fputs("null", file);
	fprintf(file, ",\"count\":%" PRIu32 "}\n", count);
	free(b.list);
	return status;
}
