/* SPDX-License-Identifier: Apache-2.0 */
/* Prints who used the cycles of a stream. */
#include <inttypes.h>

#include "base/table.h"
#include "info/usage.h"
#include "text/text_names.h"

/* Adds cells until one fails; the status stays. */
static void cell(struct tr_table *table, int *status, uint64_t value)
{
	if (!*status)
		*status = tr_table_cell(table, "%" PRIu64, value);
}

static int finish(struct tr_table *table, int status, FILE *out)
{
	if (!status)
		status = tr_table_print(table, out);
	tr_table_free(table);
	return status;
}

static void add_context(struct tr_table *table, int *status, const struct tr_use *use)
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
	} else {
		cell(table, status, use->hart);
		if (!*status)
			*status =
			    tr_table_cell(table, "%s", tr_priv_name(use->priv, room));
		if (!*status)
			*status = tr_table_cell(table, "0x%" PRIx64, use->satp);
	}
	cell(table, status, use->instructions);
	cell(table, status, use->cycles);
	cell(table, status, use->first_cycle);
	cell(table, status, use->last_cycle);
}

int tr_usage_print(const struct tr_usage *usage, FILE *out)
{
	static const char *const headings[] = {"hart",	       "<priv",	 "<satp",
					       "instructions", "cycles", "from cycle",
					       "to cycle",     NULL};
	struct tr_table *table = tr_table_new(headings);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < usage->count; i++)
		add_context(table, &status, &usage->uses[i]);
	return finish(table, status, out);
}

int tr_usage_print_gaps(const struct tr_usage *usage, FILE *out)
{
	static const char *const headings[] = {"<gap", "events", "instructions", "cycles",
					       NULL};
	if (usage->events[TR_EV_GAP] == 0)
		return TR_OK;
	struct tr_table *table = tr_table_new(headings);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < TR_USAGE_GAPS; i++) {
		if (usage->gaps[i].events == 0 || status)
			continue;
		status = tr_table_cell(table, "%s", tr_gap_name(i));
		cell(table, &status, usage->gaps[i].events);
		cell(table, &status, usage->gaps[i].instructions);
		cell(table, &status, usage->gaps[i].cycles);
	}
	fputs("gaps\n", out);
	return finish(table, status, out);
}

int tr_usage_print_events(const struct tr_usage *usage, FILE *out)
{
	static const char *const headings[] = {"<event", "count", NULL};
	struct tr_table *table = tr_table_new(headings);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (unsigned kind = 0; kind < TR_USAGE_KINDS; kind++) {
		if (usage->events[kind] == 0 || status)
			continue;
		status = tr_table_cell(table, "%s",
				       kind ? tr_event_name(kind) : "of unknown kinds");
		cell(table, &status, usage->events[kind]);
	}
	fputs("events\n", out);
	return finish(table, status, out);
}
