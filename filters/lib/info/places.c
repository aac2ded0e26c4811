/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the notes of a matched stream by place. */
#include "info/places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/table.h"
#include "stream/xlen.h"

/* Returns the number of the place, added if new; UINT32_MAX when out of memory. */
static uint32_t find_or_add_place(struct tr_places *p, uint32_t space, uint32_t binary,
				  uint64_t bias)
{
	const uint64_t content[2] = {tr_pair_key(space, binary), bias};
	uint64_t key = XXH64(content, sizeof(content), 0);
	for (;; key++) {
		uint32_t i = tr_map_get(&p->index, key);
		if (i == TR_MAP_NONE)
			break;
		const struct tr_found *f = &p->found[i];
		if (f->space == space && f->binary == binary && f->bias == bias)
			return i;
	}
	if (!tr_grow(&p->found, &p->room, p->count + 1, sizeof(*p->found)) ||
	    !tr_map_set(&p->index, key, (uint32_t)p->count))
		return UINT32_MAX;
	p->found[p->count] = (struct tr_found){.space = space,
					       .binary = binary,
					       .bias = bias,
					       .low = UINT64_MAX,
					       .order = p->count};
	return (uint32_t)p->count++;
}

static int add_stray(struct tr_places *p, uint32_t space, const struct tr_block *block)
{
	if (!tr_grow(&p->strays, &p->stray_room, p->nstrays + 1, sizeof(*p->strays)))
		return TR_E_NOMEM;
	p->strays[p->nstrays++] = (struct tr_stray){block->pc, space, block->tokens};
	return TR_OK;
}

/* A later note on a pair replaces an earlier one. */
static int add_note(struct tr_places *p, const struct tr_reader *reader,
		    const struct tr_note *note)
{
	const struct tr_block *block = tr_reader_block(reader, note->block);
	const bool known = note->binary < TR_NOTE_AMBIGUOUS;
	const uint64_t key = tr_pair_key(note->space, note->block);
	uint32_t i = find_or_add_place(p, note->space, note->binary,
				       known ? block->pc - note->address : 0);
	uint32_t before = tr_map_get(&p->pairs, key);
	if (i == UINT32_MAX || !tr_map_set(&p->pairs, key, i))
		return TR_E_NOMEM;
	if (before != TR_MAP_NONE)
		p->found[before].distinct -= block->tokens;
	struct tr_found *found = &p->found[i];
	found->distinct += block->tokens;
	if (block->pc < found->low)
		found->low = block->pc;
	if (block->pc + block->bytes > found->high)
		found->high = block->pc + block->bytes;
	return note->binary == TR_NOTE_UNKNOWN ? add_stray(p, note->space, block) : TR_OK;
}

static int count_place_rows(struct tr_places *p, uint32_t space, const struct tr_row *row,
			    const struct tr_row *end)
{
	for (; row < end; row++) {
		uint32_t i = tr_map_get(&p->pairs, tr_pair_key(space, row->block));
		p->instructions += row->tokens;
		if (i == TR_MAP_NONE)
			i = find_or_add_place(p, space, TR_NOTE_UNKNOWN, 0);
		if (i == UINT32_MAX)
			return TR_E_NOMEM;
		p->found[i].instructions += row->tokens;
	}
	return TR_OK;
}

/* Returns the kernel's tp on a hart, which may be new. */
static uint64_t *tp_of(struct tr_places *p, uint32_t hart)
{
	uint32_t i = 0;
	while (i < p->nharts && p->harts[i] != hart)
		i++;
	if (i == p->nharts)
		p->harts[p->nharts++] = hart;
	return &p->tp[i];
}

/* The first task that runs in a space is of its process. */
static int add_owner(struct tr_places *p, const struct tr_reader *reader,
		     const struct tr_cursor *cursor)
{
	const struct tr_context *c = &cursor->context;
	const unsigned xlen = tr_header_xlen(tr_reader_header(reader));
	uint64_t *tp = tp_of(p, cursor->hart->hart);
	if (tr_mode_is_supervisor(tr_mode_of(c->priv)) && tr_xlen_is_upper(xlen, c->tp))
		*tp = c->tp;
	if (!tr_mode_is_user(tr_mode_of(c->priv)) || !*tp ||
	    tr_map_get(&p->owners, c->space) != TR_MAP_NONE)
		return TR_OK;
	const uint32_t place = tr_kernel_tasks_of_tp(p->tasks, *tp);
	const uint32_t task = place == UINT32_MAX
				  ? place
				  : tr_kernel_tasks_at(p->tasks, place, cursor->cycle);
	if (task == UINT32_MAX)
		return TR_OK;
	return tr_map_set(&p->owners, c->space,
			  tr_kernel_tasks_get(p->tasks, task).leader)
		   ? TR_OK
		   : TR_E_NOMEM;
}

static int count_place_hart(struct tr_places *p, const struct tr_reader *reader,
			    const struct tr_hart_frame *hart)
{
	struct tr_cursor cursor;
	uint32_t first, last;
	const struct tr_event *event;
	int status = TR_OK;
	tr_cursor_init(&cursor, hart);
	for (enum tr_step step;
	     !status && (step = tr_cursor_next(&cursor, &first, &last, &event));)
		if (step == TR_STEP_ROWS) {
			status = count_place_rows(p, tr_note_space(&cursor.context),
						  &hart->rows[first], &hart->rows[last]);
			if (p->tasks && !status)
				status = add_owner(p, reader, &cursor);
		}
	return status;
}

int tr_places_add(struct tr_places *p, const struct tr_reader *reader,
		  const struct tr_frame *frame)
{
	int status = TR_OK;
	if (p->generation != frame->generation)
		tr_map_clear(&p->pairs);
	p->generation = frame->generation;
	if (!p->tasks && tr_kernel_tasks_possible(tr_reader_probes(reader))) {
		p->tasks = tr_kernel_tasks_new(tr_reader_probes(reader), NULL, NULL);
		status = p->tasks ? TR_OK : TR_E_NOMEM;
	}
	if (p->tasks && !status)
		status = tr_kernel_tasks_frame(p->tasks, frame);
	for (uint32_t i = 0; i < frame->nnotes && !status; i++)
		status = add_note(p, reader, &frame->notes[i]);
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status = count_place_hart(p, reader, &frame->harts[i]);
	return status;
}

void tr_places_release(struct tr_places *p)
{
	free(p->found);
	free(p->strays);
	tr_map_free(&p->index);
	tr_map_free(&p->pairs);
	tr_map_free(&p->owners);
	tr_kernel_tasks_free(p->tasks);
	*p = (struct tr_places){0};
}

static int by_instructions(const void *left, const void *right)
{
	const struct tr_found *a = left, *b = right;
	if (a->instructions != b->instructions)
		return a->instructions < b->instructions ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* M-mode, then S-mode, then the spaces of U-mode. */
static unsigned rank_space(uint32_t space)
{
	return space == TR_SPACE_MACHINE ? 0 : space >= TR_SPACE_GUEST ? 1 : 2;
}

static int by_space(const void *left, const void *right)
{
	const struct tr_found *a = left, *b = right;
	if (rank_space(a->space) != rank_space(b->space))
		return rank_space(a->space) < rank_space(b->space) ? -1 : 1;
	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return by_instructions(left, right);
}

static int by_place(const void *left, const void *right)
{
	const struct tr_found *a = left, *b = right;
	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

/* Counts the unknown instructions within each place. Sorts the places. */
static void count_others(struct tr_places *p)
{
	if (p->count)
		qsort(p->found, p->count, sizeof(*p->found), by_place);
	for (size_t k = 0; k < p->nstrays; k++) {
		const struct tr_stray *stray = &p->strays[k];
		size_t low = 0, high = p->count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			const struct tr_found *f = &p->found[middle];
			if (f->space < stray->space ||
			    (f->space == stray->space && f->low <= stray->pc))
				low = middle + 1;
			else
				high = middle;
		}
		for (; low-- > 0 && p->found[low].space == stray->space;) {
			struct tr_found *f = &p->found[low];
			if (f->binary >= TR_NOTE_AMBIGUOUS)
				continue;
			if (stray->pc < f->high)
				f->others += stray->tokens;
			break;
		}
	}
}

static const char *header_bin_value(const struct tr_header *header, uint32_t binary,
				    const char *below)
{
	const char *value = tr_header_bin(header, binary, below);
	return value ? value : "";
}

/* Returns the name of the program of a space: of the first binary that is no library. */
static const char *space_program(const struct tr_places *p,
				 const struct tr_header *header, uint32_t space)
{
	const struct tr_found *first = NULL;
	if (rank_space(space) < 2)
		return "";
	for (size_t i = 0; i < p->count; i++) {
		const struct tr_found *f = &p->found[i];
		if (f->space == space && f->binary < TR_NOTE_AMBIGUOUS &&
		    strcmp(header_bin_value(header, f->binary, ".kind"), "library") !=
			0 &&
		    (!first || f->order < first->order))
			first = f;
	}
	return first ? header_bin_value(header, first->binary, ".name") : "[unknown]";
}

/* A file with a fixed address is where it is linked, or elsewhere, like a kernel before
 * translation is on; the addresses of others begin with 0. */
static int put_base(struct tr_table *table, const struct tr_header *header,
		    const struct tr_found *f)
{
	bool fixed = f->binary < TR_NOTE_AMBIGUOUS &&
		     strcmp(header_bin_value(header, f->binary, ".kind"), "fixed") == 0;
	if (fixed && !f->bias)
		return tr_table_cell(table, "as linked");
	if (fixed || f->binary >= TR_NOTE_AMBIGUOUS)
		return tr_table_cell(table, "from 0x%" PRIx64, f->low);
	return tr_table_cell(table, "0x%" PRIx64,
			     tr_xlen_wrap(tr_header_xlen(header), f->bias));
}

static int add_place_name(struct tr_table *table, const struct tr_header *header,
			  const struct tr_found *f)
{
	if (f->binary >= TR_NOTE_AMBIGUOUS)
		return tr_table_cell(table, "%s",
				     f->binary == TR_NOTE_UNKNOWN ? "[unknown]"
								  : "[ambiguous]");
	const char *part = header_bin_value(header, f->binary, ".part");
	return tr_table_cell(table, "%s%s%s",
			     header_bin_value(header, f->binary, ".name"),
			     *part == '.' ? " " : "", *part == '.' ? part : "");
}

/* Puts "busybox#8" or, if its task is known, "sort[19]#8". */
static int put_space(struct tr_table *table, const struct tr_places *p,
		     const struct tr_header *header, uint32_t space)
{
	const uint32_t owner = tr_map_get(&p->owners, space);
	const char *program = space_program(p, header, space);
	if (owner == TR_MAP_NONE)
		return tr_table_cell(table, "%s#%" PRIu32, program, space);
	const struct tr_kernel_task task = tr_kernel_tasks_get(p->tasks, owner);
	const char *name = *task.comm ? task.comm : program;
	if (task.pid == TR_TASK_NO_PID)
		return tr_table_cell(table, "%s#%" PRIu32, name, space);
	return tr_table_cell(table, "%s[%" PRIu32 "]#%" PRIu32, name, task.pid, space);
}

static int add_place_row(struct tr_table *table, const struct tr_places *p,
			 const struct tr_header *header, const struct tr_found *f)
{
	static const char *const privs[] = {"M", "S", "U"};
	const bool known = f->binary < TR_NOTE_AMBIGUOUS;
	int status = tr_table_cell(table, "%s", privs[rank_space(f->space)]);
	if (!status && rank_space(f->space) == 2)
		status = put_space(table, p, header, f->space);
	else if (!status)
		status = tr_table_cell(table, "%s", "");
	if (!status)
		status = add_place_name(table, header, f);
	if (!status)
		status = put_base(table, header, f);
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, f->instructions);
	if (!status)
		status =
		    tr_table_cell(table, "%.3f %%",
				  100.0 * (double)f->instructions /
				      (double)(p->instructions ? p->instructions : 1));
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, f->distinct);
	if (!status)
		status = known ? tr_table_cell(table, "%.1f %%",
					       100.0 * (double)f->distinct /
						   (double)(f->distinct + f->others))
			       : tr_table_cell(table, "%s", "");
	if (!status)
		status = tr_table_cell(
		    table, "%s",
		    known ? header_bin_value(header, f->binary, ".build_id") : "");
	return status;
}

int tr_places_report(struct tr_places *p, const struct tr_header *header,
		     struct tr_report *report)
{
	static const char *const headings[] = {
	    "<priv", "<space",	     "<binary", "<base",     "executed",
	    "share", "instructions", "agree",	"<build-id", NULL};
	static const char *const keys[] = {"privilege",
					   "space",
					   "binary",
					   "base",
					   "executed_instructions",
					   "executed_percent",
					   "distinct_instructions",
					   "agree_percent",
					   "build_id"};
	struct tr_table *table = tr_table_new(headings);
	bool all = p->count < TR_PLACES_SHOWN || !tr_report_text(report);
	size_t shown = all ? p->count : TR_PLACES_SHOWN;
	int status = table ? tr_table_keys(table, keys, NULL) : TR_E_NOMEM;
	count_others(p);
	if (p->count) {
		qsort(p->found, p->count, sizeof(*p->found), by_instructions);
		qsort(p->found, shown, sizeof(*p->found), by_space);
	}
	for (size_t i = 0; i < shown && !status; i++)
		if (p->found[i].instructions)
			status = add_place_row(table, p, header, &p->found[i]);
	int written = tr_report_table(report, "places", table);
	if (p->count > shown)
		tr_report_say(report, "  and %zu more place%s that ran less\n",
			      p->count - shown, tr_plural(p->count - shown));
	return status ? status : written;
}
