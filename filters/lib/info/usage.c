/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the usage of cycles in a stream. */
#include "info/usage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/table.h"
#include "text/text_names.h"

static bool is_use(const struct tr_use *use, uint32_t hart, const struct tr_context *c)
{
	return use->hart == hart && use->priv == c->priv &&
	       tr_space_equals(use->space, tr_space_of(c));
}

static struct tr_use *append_use(struct tr_usage *usage, uint32_t hart,
				 const struct tr_context *context)
{
	bool others = usage->count == TR_USAGE_MAX;
	if (usage->count > TR_USAGE_MAX)
		return &usage->uses[TR_USAGE_MAX];
	if (!tr_grow(&usage->uses, &usage->room, usage->count + 1, sizeof(*usage->uses)))
		return NULL;
	struct tr_use *use = &usage->uses[usage->count++];
	*use = (struct tr_use){.others = others, .first_cycle = UINT64_MAX};
	if (!others) {
		use->hart = hart;
		use->priv = context->priv;
		use->space = tr_space_of(context);
	}
	return use;
}

/* Returns the entry, valid until the next call; NULL when out of memory. */
static struct tr_use *use_of(struct tr_usage *usage, uint32_t hart,
			     const struct tr_context *context)
{
	uint64_t content[2] = {tr_space_hash(tr_space_of(context)),
			       (uint64_t)hart << 8 | context->priv};
	uint64_t key = XXH64(content, sizeof(content), 0);
	for (;; key++) {
		uint32_t i = tr_map_get(&usage->index, key);
		if (i == TR_MAP_NONE)
			break;
		if (is_use(&usage->uses[i], hart, context))
			return &usage->uses[i];
	}
	uint32_t next = (uint32_t)usage->count;
	if (next < TR_USAGE_MAX && !tr_map_set(&usage->index, key, next))
		return NULL;
	return append_use(usage, hart, context);
}

static int charge_use(struct tr_usage *usage, uint32_t hart,
		      const struct tr_context *context, uint64_t instructions,
		      uint64_t from, uint64_t to)
{
	struct tr_use *use = use_of(usage, hart, context);
	if (!use)
		return TR_E_NOMEM;
	use->instructions += instructions;
	use->cycles += to - from;
	if (from < use->first_cycle)
		use->first_cycle = from;
	if (to > use->last_cycle)
		use->last_cycle = to;
	return TR_OK;
}

static int count_usage_rows(struct tr_usage *usage, const struct tr_reader *reader,
			    const struct tr_cursor *cursor, uint32_t first, uint32_t last)
{
	uint64_t instructions = 0;
	for (uint32_t i = first; i < last; i++) {
		const struct tr_block *block =
		    tr_reader_block(reader, cursor->hart->rows[i].block);
		instructions += block->tokens;
		if (block->no_bits)
			usage->no_bits += block->tokens;
	}
	usage->rows += last - first;
	usage->instructions += instructions;
	return charge_use(usage, cursor->hart->hart, &cursor->context, instructions,
			  cursor->cycle, cursor->next_cycle);
}

static int count_usage_event(struct tr_usage *usage, const struct tr_cursor *cursor,
			     const struct tr_context *before,
			     const struct tr_event *event)
{
	usage->events[event->kind < TR_USAGE_KINDS ? event->kind : 0]++;
	if (event->kind == TR_EV_TRIGGER)
		usage->trigger_starts += event->u.trigger.start;
	if (event->kind == TR_EV_GAP) {
		unsigned reason = event->u.gap.reason;
		usage->gaps[reason].events++;
		usage->gaps[reason].cycles += event->cycles;
		usage->gaps[reason].instructions += event->u.gap.tokens;
	}
	if (event->kind != TR_EV_TRAP)
		return TR_OK;
	return charge_use(usage, cursor->hart->hart, before, 0, cursor->cycle,
			  cursor->next_cycle);
}

static int count_usage_hart(struct tr_usage *usage, const struct tr_reader *reader,
			    const struct tr_hart_frame *hart)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	int status = TR_OK;
	tr_cursor_init(&cursor, hart);
	struct tr_context before = cursor.context;
	while (!status && (step = tr_cursor_next(&cursor, &first, &last, &event))) {
		if (step == TR_STEP_ROWS)
			status = count_usage_rows(usage, reader, &cursor, first, last);
		else
			status = count_usage_event(usage, &cursor, &before, event);
		before = cursor.context;
	}
	usage->cycles += hart->end_cycle - hart->start_cycle;
	return status;
}

int tr_usage_add(struct tr_usage *usage, const struct tr_reader *reader,
		 const struct tr_frame *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status = count_usage_hart(usage, reader, &frame->harts[i]);
	return status;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_uses(const void *left, const void *right)
{
	const struct tr_use *a = left, *b = right;
	int order = compare_u64(a->others, b->others);
	if (order == 0)
		order = compare_u64(a->hart, b->hart);
	if (order == 0)
		order = compare_u64(a->space.hgatp, b->space.hgatp);
	if (order == 0)
		order = compare_u64(a->space.satp, b->space.satp);
	return order ? order : compare_u64(a->priv, b->priv);
}

void tr_usage_sort(struct tr_usage *usage)
{
	if (usage->count)
		qsort(usage->uses, usage->count, sizeof(*usage->uses), compare_uses);
}

void tr_usage_release(struct tr_usage *usage)
{
	free(usage->uses);
	tr_map_free(&usage->index);
	*usage = (struct tr_usage){0};
}

/* Printing. */

/* Adds a cell unless an earlier one failed; *status keeps the failure. */
static void add_u64_cell(struct tr_table *table, int *status, uint64_t value)
{
	if (!*status)
		*status = tr_table_cell(table, "%" PRIu64, value);
}

static int report_usage_table(const char *name, struct tr_table *table, int status,
			      struct tr_report *report)
{
	int written = tr_report_table(report, name, table);
	return status ? status : written;
}

static void add_context(struct tr_table *table, int *status, const struct tr_use *use,
			bool has_guests)
{
	char room[TR_NAME_ROOM];
	if (*status)
		return;
	if (use->others) {
		*status = tr_table_cell(table, "-");
		if (!*status)
			*status = tr_table_cell(table, "-");
		if (!*status)
			*status = tr_table_cell(table, "others");
		if (!*status && has_guests)
			*status = tr_table_cell(table, "-");
	} else {
		add_u64_cell(table, status, use->hart);
		if (!*status)
			*status =
			    tr_table_cell(table, "%s", tr_priv_name(use->priv, room));
		if (!*status)
			*status = tr_table_cell(table, "0x%" PRIx64, use->space.satp);
		if (!*status && has_guests)
			*status = tr_table_cell(table, "0x%" PRIx64, use->space.hgatp);
	}
	add_u64_cell(table, status, use->instructions);
	add_u64_cell(table, status, use->cycles);
	add_u64_cell(table, status, use->first_cycle);
	add_u64_cell(table, status, use->last_cycle);
}

int tr_usage_report(const struct tr_usage *usage, struct tr_report *report)
{
	static const char *const headings[] = {"hart",	       "<priv",	 "<satp",
					       "instructions", "cycles", "from cycle",
					       "to cycle",     NULL};
	static const char *const keys[] = {"hart",	   "privilege", "satp",
					   "instructions", "cycles",	"from_cycle",
					   "to_cycle"};
	static const char *const guest_headings[] = {
	    "hart",   "<priv",	    "<satp",	"<hgatp", "instructions",
	    "cycles", "from cycle", "to cycle", NULL};
	static const char *const guest_keys[] = {"hart",       "privilege",    "satp",
						 "hgatp",      "instructions", "cycles",
						 "from_cycle", "to_cycle"};
	bool has_guests = false;
	for (size_t i = 0; i < usage->count; i++)
		has_guests |= usage->uses[i].space.hgatp != 0;
	struct tr_table *table = tr_table_new_keyed(
	    has_guests ? guest_headings : headings, has_guests ? guest_keys : keys, NULL);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < usage->count; i++)
		add_context(table, &status, &usage->uses[i], has_guests);
	return report_usage_table("contexts", table, status, report);
}

int tr_usage_report_gaps(const struct tr_usage *usage, struct tr_report *report)
{
	static const char *const headings[] = {"<gap", "events", "instructions", "cycles",
					       NULL};
	static const char *const keys[] = {"gap", "events", "instructions", "cycles"};
	if (usage->events[TR_EV_GAP] == 0 && tr_report_text(report))
		return TR_OK;
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < TR_USAGE_GAPS; i++) {
		if (usage->gaps[i].events == 0 || status)
			continue;
		status = tr_table_cell(table, "%s", tr_gap_name(i));
		add_u64_cell(table, &status, usage->gaps[i].events);
		add_u64_cell(table, &status, usage->gaps[i].instructions);
		add_u64_cell(table, &status, usage->gaps[i].cycles);
	}
	tr_report_say(report, "gaps\n");
	return report_usage_table("gaps", table, status, report);
}

int tr_usage_report_events(const struct tr_usage *usage, struct tr_report *report)
{
	static const char *const headings[] = {"<event", "count", NULL};
	static const char *const keys[] = {"event", "count"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (unsigned kind = 0; kind < TR_USAGE_KINDS; kind++) {
		if (usage->events[kind] == 0 || status)
			continue;
		status = tr_table_cell(table, "%s",
				       kind ? tr_event_name(kind) : "of unknown kinds");
		add_u64_cell(table, &status, usage->events[kind]);
	}
	tr_report_say(report, "events\n");
	return report_usage_table("events", table, status, report);
}
