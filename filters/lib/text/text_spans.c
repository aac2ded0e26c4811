/* SPDX-License-Identifier: Apache-2.0 */
/* Formats counts by address. */
#include <inttypes.h>

#include "text/text.h"
#include "text/text_names.h"

static void print_scope_line(const struct tr_text *text, uint32_t id)
{
	const struct tr_scope *scope = tr_reader_scope(text->reader, id);
	fprintf(text->out, "scope o%" PRIu32, id);
	if (scope->around)
		fprintf(text->out, " around=o%" PRIu32 " call=%" PRIu32 ".%" PRIu32,
			scope->around, scope->call_line, scope->call_discriminator);
	fprintf(text->out, " line=%" PRIu32, scope->line);
	tr_text_quoted(text->out, "file", scope->file);
	tr_text_quoted(text->out, "linkage", scope->linkage);
	tr_text_quoted(text->out, "name", scope->name);
	fputc('\n', text->out);
}

/* The lengths of the instructions; before the first of each place in the source
 * "@oN:LINE.DISCRIMINATOR/". */
static void print_span_line(const struct tr_text *text, uint32_t id)
{
	const struct tr_span *span = tr_reader_span(text->reader, id);
	const struct tr_spot *before = NULL;
	fprintf(text->out,
		"span p%" PRIu32 " func=f%" PRIu32 " binary=%" PRIu32
		" address=0x%" PRIx64 " code=",
		id, span->func, span->binary, span->address);
	for (uint32_t i = 0; i < span->count; i++) {
		const struct tr_spot *spot =
		    tr_reader_spot(text->reader, span->first + i);
		if (!before || !tr_spots_share_source(before, spot))
			fprintf(text->out, "@%" PRIu32 ":%" PRIu32 ".%" PRIu32 "/",
				spot->scope, spot->line, spot->discriminator);
		fprintf(text->out, "%u", spot->bytes);
		before = spot;
	}
	fputc('\n', text->out);
}

static void print_spot(const struct tr_text *text, const char *key, uint32_t id)
{
	const struct tr_spot *spot = tr_reader_spot(text->reader, id);
	const struct tr_span *span = tr_reader_span(text->reader, spot->span);
	fprintf(text->out, " %s=p%" PRIu32 "+%" PRIu32, key, spot->span,
		id - span->first);
}

void tr_text_span_definitions(struct tr_text *text)
{
	while (text->scopes + 1 < tr_reader_scope_count(text->reader))
		print_scope_line(text, ++text->scopes);
	while (text->spans < tr_reader_span_count(text->reader))
		print_span_line(text, text->spans++);
}

void tr_text_site(const struct tr_text *text, uint32_t node)
{
	uint32_t site = tr_reader_site(text->reader, node);
	if (site != TR_NO_SPOT)
		print_spot(text, "site", site);
}

static void print_span_count(const struct tr_text *text, const struct tr_span_counts *all,
			     const struct tr_span_count *count)
{
	fprintf(text->out, "count n%" PRIu32 " p%" PRIu32 " executions=%" PRIu64,
		count->node, count->span, count->executions);
	for (uint32_t i = 0; i < count->nstalls; i++) {
		const struct tr_span_stall *stall = &all->stalls[count->first_stall + i];
		fprintf(text->out, "%s%" PRIu32 "*%" PRIu64,
			i ? "," : " cycles=", stall->index,
			stall->cycles + count->executions);
	}
	fputc('\n', text->out);
}

void tr_text_counts(const struct tr_text *text)
{
	const struct tr_span_counts all = tr_reader_counts(text->reader);
	for (uint32_t i = 0; i < all.ncounts; i++)
		print_span_count(text, &all, &all.counts[i]);
	for (uint32_t i = 0; i < all.nbranches; i++) {
		fputs("branch", text->out);
		print_spot(text, "from", all.branches[i].from);
		print_spot(text, "to", all.branches[i].to);
		fprintf(text->out, " count=%" PRIu64 "\n", all.branches[i].count);
	}
}
