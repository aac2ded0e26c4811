/* SPDX-License-Identifier: Apache-2.0 */
/* Writes counts by address, in sections that readers may skip. */
#include "stream/spans.h"

#include <string.h>

#include "stream/writer_state.h"

int tr_writer_scope(struct tr_writer *w, const struct tr_scope *scope)
{
	struct writer_spans *s = &w->stacks.spans;
	struct tr_buffer *out = &s->scopes;
	if (!tr_name_good(scope->name) || !tr_name_good(scope->linkage) ||
	    !tr_name_good(scope->file) || scope->around > s->nscopes)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, scope->around);
	if (scope->around) {
		tr_buffer_varint(out, scope->call_line);
		tr_buffer_varint(out, scope->call_discriminator);
	}
	tr_buffer_varint(out, scope->line);
	tr_writer_put_string(out, scope->name);
	tr_writer_put_string(out, scope->linkage);
	tr_writer_put_string(out, scope->file);
	s->nscopes++;
	return tr_writer_defined(w, out);
}

static bool is_good(const struct writer_spans *s, const struct tr_span *span,
		    const struct tr_spot *spots)
{
	bool good = span->count && span->count <= TR_BLOCK_MAX_TOKENS &&
		    span->count < TR_NO_SPOT - s->nspots;
	for (uint32_t i = 0; good && i < span->count; i++)
		good = spots[i].bytes && spots[i].bytes <= TR_INSN_MAX_BYTES &&
		       spots[i].bytes % 2 == 0 && spots[i].scope <= s->nscopes;
	return good;
}

int tr_writer_span(struct tr_writer *w, const struct tr_span *span,
		   const struct tr_spot *spots)
{
	struct writer_spans *s = &w->stacks.spans;
	struct tr_buffer *out = &s->spans;
	if (!is_good(s, span, spots))
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, span->func);
	tr_buffer_varint(out, span->binary);
	tr_buffer_varint(out, tr_zigzag(span->address - s->address));
	tr_buffer_varint(out, span->count);
	s->address = span->address;
	for (uint32_t i = 0; i < span->count; i++)
		tr_buffer_varint(out, spots[i].bytes / 2U);
	for (uint32_t i = 0, next; i < span->count; i = next) {
		for (next = i + 1; next < span->count &&
				   tr_spots_share_source(&spots[i], &spots[next]);)
			next++;
		tr_buffer_varint(out, next - i);
		tr_buffer_varint(out, spots[i].scope);
		tr_buffer_varint(out, spots[i].line);
		tr_buffer_varint(out, spots[i].discriminator);
	}
	s->nspots += span->count;
	s->nspans++;
	return tr_writer_defined(w, out);
}

int tr_writer_site(struct tr_writer *w, uint32_t spot)
{
	struct writer_spans *s = &w->stacks.spans;
	if (spot >= s->nspots || !w->stacks.nnodes)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(&s->sites, w->stacks.nnodes - s->site_node);
	tr_buffer_varint(&s->sites, tr_zigzag(spot - (uint64_t)s->site));
	s->site_node = w->stacks.nnodes;
	s->site = spot;
	return tr_writer_defined(w, &s->sites);
}

int tr_writer_count(struct tr_writer *w, const struct tr_span_count *count,
		    const struct tr_span_stall *stalls)
{
	struct writer_spans *s = &w->stacks.spans;
	struct tr_buffer *out = &s->counts;
	if (!count->node || count->node > w->stacks.nnodes || count->span >= s->nspans ||
	    !count->executions)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, tr_zigzag(count->node - (uint64_t)s->last.node));
	tr_buffer_varint(out, tr_zigzag(count->span - (uint64_t)s->last.span));
	tr_buffer_varint(out, count->executions);
	tr_buffer_varint(out, count->nstalls);
	for (uint32_t i = 0, next = 0; i < count->nstalls; i++) {
		tr_buffer_varint(out, stalls[i].index - next);
		tr_buffer_varint(out, tr_zigzag(stalls[i].cycles));
		next = stalls[i].index + 1;
	}
	s->last = *count;
	return tr_writer_defined(w, out);
}

int tr_writer_branch(struct tr_writer *w, const struct tr_branch *branch)
{
	struct writer_spans *s = &w->stacks.spans;
	struct tr_buffer *out = &s->branches;
	if (branch->from >= s->nspots || branch->to >= s->nspots || !branch->count)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, tr_zigzag(branch->from - (uint64_t)s->branch.from));
	tr_buffer_varint(out, tr_zigzag(branch->to - (uint64_t)branch->from));
	tr_buffer_varint(out, branch->count);
	s->branch = *branch;
	return tr_writer_defined(w, out);
}

void tr_writer_put_spans(struct tr_writer *w)
{
	struct writer_spans *s = &w->stacks.spans;
	tr_encode_section(&w->chunk, TR_SECTION_SCOPES, &s->scopes);
	tr_encode_section(&w->chunk, TR_SECTION_SPANS, &s->spans);
	tr_encode_section(&w->chunk, TR_SECTION_SITES, &s->sites);
	tr_encode_section(&w->chunk, TR_SECTION_COUNTS, &s->counts);
	tr_encode_section(&w->chunk, TR_SECTION_BRANCHES, &s->branches);
	s->scopes.size = s->spans.size = s->sites.size = 0;
	s->counts.size = s->branches.size = 0;
	s->address = 0;
	s->site_node = w->stacks.nnodes;
	s->site = 0;
	s->last = (struct tr_span_count){0};
	s->branch = (struct tr_branch){0};
}

void tr_writer_free_spans(struct tr_writer *w)
{
	struct writer_spans *s = &w->stacks.spans;
	tr_buffer_free(&s->scopes);
	tr_buffer_free(&s->spans);
	tr_buffer_free(&s->sites);
	tr_buffer_free(&s->counts);
	tr_buffer_free(&s->branches);
}
