/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes and verifies counts by address. */
#include "stream/spans.h"

#include <stdlib.h>
#include <string.h>

#include "stream/reader_state.h"

/* Limits that bound the memory a hostile stream can use. */
enum {
	MAX_SCOPES = 1 << 20,
	MAX_SPANS = 4 << 20,
	MAX_SPOTS = 8 << 20,
	MAX_BINARIES = 1 << 24,
};

static int report_bad_spans(struct tr_reader *r, const char *reason)
{
	return tr_reader_fail(r, TR_E_CORRUPT, reason);
}

static int fail_spans_memory(struct tr_reader *r)
{
	return tr_reader_fail(r, TR_E_NOMEM, "out of memory");
}

static int take_scopes(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_spans *s = &r->stacks.spans;
	while (in->at != in->end) {
		struct tr_scope scope = {0};
		if (!tr_grow(&s->scopes, &s->scope_room, s->nscopes + 2,
			     sizeof(*s->scopes)))
			return fail_spans_memory(r);
		scope.around = (uint32_t)tr_varint_below(in, s->nscopes + 1);
		if (scope.around) {
			scope.call_line = (uint32_t)tr_varint_below(in, UINT32_MAX);
			scope.call_discriminator =
			    (uint32_t)tr_varint_below(in, UINT32_MAX);
		}
		scope.line = (uint32_t)tr_varint_below(in, UINT32_MAX);
		scope.name = tr_reader_string(r, in);
		scope.linkage = scope.name ? tr_reader_string(r, in) : NULL;
		scope.file = scope.linkage ? tr_reader_string(r, in) : NULL;
		if (!scope.file || in->bad || s->nscopes == MAX_SCOPES)
			return report_bad_spans(r, "damaged scope");
		s->scopes[++s->nscopes] = scope;
	}
	return TR_OK;
}

/* Reads the lengths of the instructions of a span, and where they are in the source. */
static bool take_spots(struct tr_bytes *in, const struct tr_span *span,
		       struct tr_spot *spots, size_t id, size_t nscopes)
{
	uint32_t offset = 0, i = 0;
	for (; i < span->count; i++) {
		uint8_t bytes =
		    (uint8_t)(2 * tr_varint_below(in, TR_INSN_MAX_BYTES / 2 + 1));
		if (!bytes)
			return false;
		spots[i] = (struct tr_spot){
		    .span = (uint32_t)id, .offset = offset, .bytes = bytes};
		offset += bytes;
	}
	for (i = 0; i < span->count && !in->bad;) {
		uint32_t many = (uint32_t)tr_varint_below(in, span->count - i + 1ULL);
		uint32_t scope = (uint32_t)tr_varint_below(in, nscopes + 1);
		uint32_t line = (uint32_t)tr_varint_below(in, UINT32_MAX);
		uint32_t discriminator = (uint32_t)tr_varint_below(in, UINT32_MAX);
		for (uint32_t end = i + many; i < end; i++) {
			spots[i].scope = scope;
			spots[i].line = line;
			spots[i].discriminator = discriminator;
		}
		if (!many)
			return false;
	}
	return !in->bad;
}

static int take_spans(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_spans *s = &r->stacks.spans;
	uint64_t address = 0;
	while (in->at != in->end) {
		struct tr_span span = {.first = (uint32_t)s->nspots};
		span.func = (uint32_t)tr_varint_below(in, r->stacks.nfuncs);
		span.binary = (uint32_t)tr_varint_below(in, MAX_BINARIES);
		span.address = address += tr_unzigzag(tr_varint(in));
		span.count = (uint32_t)tr_varint_below(in, TR_BLOCK_MAX_TOKENS + 1);
		if (in->bad || !span.count || s->nspans == MAX_SPANS ||
		    s->nspots + span.count > MAX_SPOTS)
			return report_bad_spans(r, "damaged span of instructions");
		if (!tr_grow(&s->spans, &s->span_room, s->nspans + 1,
			     sizeof(*s->spans)) ||
		    !tr_grow(&s->spots, &s->spot_room, s->nspots + span.count,
			     sizeof(*s->spots)))
			return fail_spans_memory(r);
		if (!take_spots(in, &span, &s->spots[s->nspots], s->nspans, s->nscopes))
			return report_bad_spans(r, "damaged span of instructions");
		s->spans[s->nspans++] = span;
		s->nspots += span.count;
	}
	return TR_OK;
}

/* Call sites are of nodes that this frame defines. */
static int take_sites(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_spans *s = &r->stacks.spans;
	uint64_t node = s->nodes_before, spot = 0;
	while (in->at != in->end) {
		uint64_t step = tr_varint_below(in, r->stacks.nnodes);
		node += step;
		spot += tr_unzigzag(tr_varint(in));
		if (in->bad || !step || node >= r->stacks.nnodes || spot >= s->nspots)
			return report_bad_spans(r, "damaged call site");
		size_t before = s->nsites;
		if (!tr_grow(&s->sites, &s->site_room, node + 1, sizeof(*s->sites)))
			return fail_spans_memory(r);
		if (node + 1 > before) {
			memset(s->sites + before, 0xff,
			       (node + 1 - before) * sizeof(*s->sites));
			s->nsites = node + 1;
		}
		s->sites[node] = (uint32_t)spot;
	}
	return TR_OK;
}

static int take_span_stalls(struct tr_reader *r, struct tr_bytes *in,
			    struct tr_span_count *count)
{
	struct reader_spans *s = &r->stacks.spans;
	const uint32_t room = s->spans[count->span].count;
	uint32_t next = 0;
	count->first_stall = (uint32_t)s->nstalls;
	count->nstalls = (uint32_t)tr_varint_below(in, room + 1ULL);
	if (in->bad)
		return report_bad_spans(r, "damaged count of a span");
	if (!tr_grow(&s->stalls, &s->stall_room, s->nstalls + count->nstalls + 1,
		     sizeof(*s->stalls)))
		return fail_spans_memory(r);
	for (uint32_t i = 0; i < count->nstalls; i++) {
		struct tr_span_stall *stall = &s->stalls[s->nstalls++];
		if (next >= room)
			return report_bad_spans(r, "damaged count of a span");
		stall->index = next + (uint32_t)tr_varint_below(in, room - next);
		stall->cycles = tr_unzigzag(tr_varint(in));
		next = stall->index + 1;
		if (in->bad || stall->cycles + count->executions >= INT64_MAX)
			return report_bad_spans(r, "damaged count of a span");
	}
	return TR_OK;
}

static int take_span_counts(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_spans *s = &r->stacks.spans;
	uint64_t node = 0, span = 0;
	while (in->at != in->end) {
		struct tr_span_count count;
		node += tr_unzigzag(tr_varint(in));
		span += tr_unzigzag(tr_varint(in));
		count.executions = tr_varint_below(in, INT64_MAX);
		if (in->bad || !node || node >= r->stacks.nnodes || span >= s->nspans ||
		    !count.executions)
			return report_bad_spans(r, "damaged count of a span");
		count.node = (uint32_t)node;
		count.span = (uint32_t)span;
		int status = take_span_stalls(r, in, &count);
		if (status)
			return status;
		if (!tr_grow(&s->counts, &s->count_room, s->ncounts + 1,
			     sizeof(*s->counts)))
			return fail_spans_memory(r);
		s->counts[s->ncounts++] = count;
	}
	return TR_OK;
}

static int take_branches(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_spans *s = &r->stacks.spans;
	uint64_t from = 0;
	while (in->at != in->end) {
		from += tr_unzigzag(tr_varint(in));
		uint64_t to = from + tr_unzigzag(tr_varint(in));
		uint64_t count = tr_varint_below(in, INT64_MAX);
		if (in->bad || !count || from >= s->nspots || to >= s->nspots)
			return report_bad_spans(r, "damaged count of branches");
		if (!tr_grow(&s->branches, &s->branch_room, s->nbranches + 1,
			     sizeof(*s->branches)))
			return fail_spans_memory(r);
		s->branches[s->nbranches++] = (struct tr_branch){
		    .from = (uint32_t)from, .to = (uint32_t)to, .count = count};
	}
	return TR_OK;
}

void tr_reader_begin_spans(struct tr_reader *r)
{
	struct reader_spans *s = &r->stacks.spans;
	s->ncounts = s->nstalls = s->nbranches = 0;
	s->nodes_before = r->stacks.nnodes ? r->stacks.nnodes - 1 : 0;
}

int tr_reader_take_spans(struct tr_reader *r, unsigned kind, struct tr_bytes *in)
{
	switch (kind) {
	case TR_SECTION_SCOPES:
		return take_scopes(r, in);
	case TR_SECTION_SPANS:
		return take_spans(r, in);
	case TR_SECTION_SITES:
		return take_sites(r, in);
	case TR_SECTION_COUNTS:
		return take_span_counts(r, in);
	default:
		return take_branches(r, in);
	}
}

void tr_reader_free_spans(struct tr_reader *r)
{
	struct reader_spans *s = &r->stacks.spans;
	free(s->scopes);
	free(s->spans);
	free(s->spots);
	free(s->sites);
	free(s->counts);
	free(s->stalls);
	free(s->branches);
}

const struct tr_scope *tr_reader_scope(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.spans.scopes[id];
}

const struct tr_span *tr_reader_span(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.spans.spans[id];
}

const struct tr_spot *tr_reader_spot(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.spans.spots[id];
}

uint32_t tr_reader_scope_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.spans.nscopes + 1;
}

uint32_t tr_reader_span_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.spans.nspans;
}

uint32_t tr_reader_spot_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.spans.nspots;
}

uint32_t tr_reader_site(const struct tr_reader *r, uint32_t node)
{
	const struct reader_spans *s = &r->stacks.spans;
	return node < s->nsites ? s->sites[node] : TR_NO_SPOT;
}

struct tr_span_counts tr_reader_counts(const struct tr_reader *r)
{
	const struct reader_spans *s = &r->stacks.spans;
	return (struct tr_span_counts){.counts = s->counts,
				       .stalls = s->stalls,
				       .branches = s->branches,
				       .ncounts = (uint32_t)s->ncounts,
				       .nbranches = (uint32_t)s->nbranches};
}
