/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address: how often each span of code ran on each stack, the cycles of its
 * instructions, and taken branches. They are written when there are many, and at the
 * end. */
#include "unwind/unwind_spans.h"

#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"

enum {
	SPANS_MAX = 4 << 20, /* a reader's limits; code beyond them has no address */
	SPOTS_MAX = 8 << 20,
	SCOPES_MAX = 1 << 20,
	/* Counts are written after the frame in which there are more. */
	ENTRIES = 1 << 17,
	SLOTS = 1 << 20,
	BRANCHES = 1 << 17,
};

/* The code of a pair: a span for each function. */
struct code {
	uint64_t address;
	uint32_t binary;
	uint32_t span, nspans; /* 0: it has no address */
	uint32_t last_spot;
	uint16_t tokens, bytes;
	uint32_t from, branch; /* the branch counted last */
};

struct span {
	uint32_t first_token, count, first_spot;
	uint32_t node, entry; /* counted last */
};

struct entry {
	uint64_t executions;
	uint32_t node, span;
	uint32_t slot; /* first of the cycles of its instructions */
};

struct spans {
	struct span_parts parts;
	uint32_t nbinaries;
	struct tr_map scopes; /* by (binary, item) */
	uint32_t nscopes, nspots;
	struct code *codes;
	struct tr_map code_ids; /* by hash, probing hash + 1, … */
	struct span *spans;
	uint32_t *code_of_pair; /* by block: that of its last pair */
	uint32_t ncodes, codes_room, nspans, spans_room, code_of_room;
	struct entry *entries;
	uint64_t *slots;
	struct tr_branch *branches;
	uint32_t nentries, entries_room, nslots, slots_room, nbranches, branches_room;
	struct tr_map entry_ids, branch_ids;
};

struct spans *tr_spans_new(const struct span_parts *parts,
			   const struct tr_unwind_options *options)
{
	struct spans *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->parts = *parts;
	s->nbinaries = options->nprograms;
	return s;
}

void tr_spans_free(struct spans *s)
{
	if (!s)
		return;
	tr_map_free(&s->scopes);
	tr_map_free(&s->code_ids);
	tr_map_free(&s->entry_ids);
	tr_map_free(&s->branch_ids);
	free(s->codes);
	free(s->spans);
	free(s->code_of_pair);
	free(s->entries);
	free(s->slots);
	free(s->branches);
	free(s);
}

/* --- definitions */

/* Returns the number of a scope, which it may define with those around it; 0: none. */
static uint32_t scope_of(struct spans *s, uint32_t binary, uint32_t item)
{
	struct tr_scope scope = {0};
	char text[3][1024];
	uint64_t key = tr_pair_key(binary, item);
	uint32_t id = item ? tr_map_get(&s->scopes, key) : 0, around = 0;
	if (id != TR_MAP_NONE)
		return id;
	scope.name = text[0];
	scope.linkage = text[1];
	scope.file = text[2];
	s->parts.source->scope(s->parts.source->user, binary, item, &scope, text,
			       &around);
	scope.around = scope_of(s, binary, around);
	if (s->nscopes == SCOPES_MAX)
		return 0;
	id = ++s->nscopes;
	unwind_fail(s->parts.status,
		    s->parts.sink->put_scope(s->parts.sink->user, &scope));
	if (!tr_map_set(&s->scopes, key, id))
		unwind_fail(s->parts.status, TR_E_NOMEM);
	return id;
}

static unsigned block_insn_length(const struct tr_block *block, const uint8_t *code)
{
	return block->no_bits
		   ? *code
		   : tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
}

/* Describes the instructions of a block. Returns false if one has no length. */
static bool describe_block_spots(struct spans *s, const struct pair *p,
				 struct tr_spot *spots)
{
	const struct tr_block *block =
	    s->parts.source->block(s->parts.source->user, p->block);
	const uint8_t *code = block->code;
	struct tr_source_spot at = {.high = 0};
	uint64_t address = p->address;
	uint32_t scope = 0;
	for (uint32_t i = 0; i < block->tokens; i++) {
		unsigned length = block_insn_length(block, code);
		if (address - at.low >= at.high - at.low) {
			s->parts.source->source(s->parts.source->user, p->binary, address,
						&at);
			scope = scope_of(s, p->binary, at.scope);
		}
		if (!length || length > TR_INSN_MAX_BYTES)
			return false;
		spots[i] = (struct tr_spot){.scope = scope,
					    .line = at.line,
					    .discriminator = at.discriminator,
					    .bytes = (uint8_t)length};
		code += block->no_bits ? 1 : length;
		address += length;
	}
	return true;
}

/* Defines the span of tokens [first, end) of a pair. */
static void define_span(struct spans *s, const struct pair *p, uint32_t sym,
			const struct tr_spot *spots, uint32_t first, uint32_t end)
{
	struct tr_span span = {.address = p->address,
			       .func = tr_names_func(s->parts.names, sym),
			       .binary = p->binary,
			       .count = end - first};
	for (uint32_t i = 0; i < first; i++)
		span.address += spots[i].bytes;
	if (!tr_unwind_reserve(s->parts.status, (void **)&s->spans, &s->spans_room,
			       s->nspans + 1ULL, sizeof(*s->spans)))
		return;
	unwind_fail(s->parts.status,
		    s->parts.sink->put_span(s->parts.sink->user, &span, &spots[first]));
	s->spans[s->nspans++] = (struct span){
	    .first_token = first, .count = end - first, .first_spot = s->nspots};
	s->nspots += end - first;
}

/* Defines the spans of a pair, which begin where its function changes. */
static void define_pair_spans(struct spans *s, const struct pair *p, struct code *code)
{
	const struct tr_block *block =
	    s->parts.source->block(s->parts.source->user, p->block);
	struct tr_spot spots[TR_BLOCK_MAX_TOKENS];
	uint32_t first = 0, sym = p->sym;
	if (p->binary >= s->nbinaries || s->nspans + block->tokens > SPANS_MAX ||
	    s->nspots + block->tokens > SPOTS_MAX || !describe_block_spots(s, p, spots))
		return;
	code->span = s->nspans;
	for (uint32_t i = 0; i < p->nsegments; i++) {
		const struct segment *segment = &p->segments[i];
		if (!segment->moves)
			continue;
		define_span(s, p, sym, spots, first, segment->first);
		first = segment->first;
		sym = segment->sym;
	}
	define_span(s, p, sym, spots, first, block->tokens);
	code->nspans = s->nspans - code->span;
	code->last_spot = s->nspots - 1;
}

static bool is_of(const struct code *code, const struct pair *p, uint16_t tokens)
{
	return code->address == p->address && code->binary == p->binary &&
	       code->tokens == tokens && code->bytes == p->bytes;
}

/* Returns the code of a pair; TR_MAP_NONE for a stub's, and when out of memory. */
static uint32_t code_of_pair(struct spans *s, const struct pair *p)
{
	if (p->is_stub)
		return TR_MAP_NONE;
	const uint16_t tokens =
	    s->parts.source->block(s->parts.source->user, p->block)->tokens;
	uint64_t key = tr_mix(p->address) ^ (uint64_t)p->binary << 40 ^
		       (uint64_t)tokens << 20 ^ p->bytes;
	uint32_t id;
	while ((id = tr_map_get(&s->code_ids, key)) != TR_MAP_NONE) {
		if (is_of(&s->codes[id], p, tokens))
			return id;
		key++;
	}
	if (!tr_unwind_reserve(s->parts.status, (void **)&s->codes, &s->codes_room,
			       s->ncodes + 1ULL, sizeof(*s->codes)) ||
	    !tr_map_set(&s->code_ids, key, s->ncodes)) {
		unwind_fail(s->parts.status, TR_E_NOMEM);
		return TR_MAP_NONE;
	}
	struct code *code = &s->codes[s->ncodes];
	*code = (struct code){.address = p->address,
			      .binary = p->binary,
			      .tokens = tokens,
			      .bytes = p->bytes,
			      .from = TR_NO_SPOT};
	define_pair_spans(s, p, code);
	return s->ncodes++;
}

uint32_t tr_spans_last_spot(struct spans *s, const struct pair *p)
{
	uint32_t id = code_of_pair(s, p);
	const struct code *code = id == TR_MAP_NONE ? NULL : &s->codes[id];
	return code && code->nspans ? code->last_spot : TR_NO_SPOT;
}

void tr_spans_use(struct spans *s, const struct pair *p, uint32_t nblocks)
{
	if (tr_unwind_reserve(s->parts.status, (void **)&s->code_of_pair,
			      &s->code_of_room, nblocks, sizeof(*s->code_of_pair)))
		s->code_of_pair[p->block] = code_of_pair(s, p);
}

/* --- counting */

/* Returns the entry of a span on a stack; TR_MAP_NONE when out of memory. */
static uint32_t find_span_entry(struct spans *s, uint32_t node, uint32_t span)
{
	struct span *of = &s->spans[span];
	const uint64_t key = tr_pair_key(node, span);
	if (of->node == node && node && of->entry < s->nentries)
		return of->entry;
	uint32_t id = tr_map_get(&s->entry_ids, key);
	if (id == TR_MAP_NONE) {
		if (!tr_unwind_reserve(s->parts.status, (void **)&s->entries,
				       &s->entries_room, s->nentries + 1ULL,
				       sizeof(*s->entries)) ||
		    !tr_unwind_reserve(s->parts.status, (void **)&s->slots,
				       &s->slots_room, (uint64_t)s->nslots + of->count,
				       sizeof(*s->slots)) ||
		    !tr_map_set(&s->entry_ids, key, s->nentries)) {
			unwind_fail(s->parts.status, TR_E_NOMEM);
			return TR_MAP_NONE;
		}
		id = s->nentries++;
		s->entries[id] =
		    (struct entry){.node = node, .span = span, .slot = s->nslots};
		memset(&s->slots[s->nslots], 0, of->count * sizeof(*s->slots));
		s->nslots += of->count;
	}
	of->node = node;
	of->entry = id;
	return id;
}

/* Counts an execution of a span with the stalls of a timing. */
static void count_span(struct spans *s, uint32_t node, uint32_t span,
		       const struct tr_timing *timing)
{
	uint32_t id = find_span_entry(s, node, span);
	if (id == TR_MAP_NONE)
		return;
	const struct span *of = &s->spans[span];
	struct entry *entry = &s->entries[id];
	entry->executions++;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		uint32_t token = timing->stalls[i].token - of->first_token;
		if (token < of->count)
			s->slots[entry->slot + token] += timing->stalls[i].cycles - 1;
	}
}

void tr_spans_count(struct spans *s, uint32_t node, const struct tr_row *row,
		    uint32_t nth)
{
	const uint32_t id = s->code_of_pair[row->block];
	if (id == TR_MAP_NONE || nth >= s->codes[id].nspans)
		return;
	count_span(s, node, s->codes[id].span + nth,
		   s->parts.source->timing(s->parts.source->user, row->timing));
}

/* Returns the number of a branch; TR_MAP_NONE when out of memory. */
static uint32_t branch_of(struct spans *s, uint32_t from, struct code *to)
{
	const uint32_t spot = s->spans[to->span].first_spot;
	if (to->from == from && to->branch < s->nbranches)
		return to->branch;
	uint32_t id = tr_map_get(&s->branch_ids, tr_pair_key(from, spot));
	if (id == TR_MAP_NONE) {
		if (!tr_unwind_reserve(s->parts.status, (void **)&s->branches,
				       &s->branches_room, s->nbranches + 1ULL,
				       sizeof(*s->branches)) ||
		    !tr_map_set(&s->branch_ids, tr_pair_key(from, spot), s->nbranches)) {
			unwind_fail(s->parts.status, TR_E_NOMEM);
			return TR_MAP_NONE;
		}
		id = s->nbranches++;
		s->branches[id] = (struct tr_branch){.from = from, .to = spot};
	}
	to->from = from;
	to->branch = id;
	return id;
}

void tr_spans_branch(struct spans *s, const struct pair *from, const struct pair *to)
{
	bool is_transfer = from->flow > TR_FLOW_NEXT && from->flow <= TR_FLOW_SWAP;
	uint32_t id = s->code_of_pair[to->block];
	if (!is_transfer || !from->last_leaf || to->pc == pair_next_pc(from) ||
	    id == TR_MAP_NONE || !s->codes[id].nspans)
		return;
	const uint32_t spot = tr_leaves_spot(s->parts.leaves, from->last_leaf);
	if (spot == TR_NO_SPOT)
		return;
	id = branch_of(s, spot, &s->codes[id]);
	if (id != TR_MAP_NONE)
		s->branches[id].count++;
}

/* --- output */

static void write_span_entry(struct spans *s, const struct entry *entry)
{
	struct tr_span_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_span_count count = {.executions = entry->executions,
				      .node = nodes_written(s->parts.nodes, entry->node),
				      .span = entry->span};
	for (uint32_t i = 0; i < s->spans[entry->span].count; i++)
		if (s->slots[entry->slot + i])
			stalls[count.nstalls++] = (struct tr_span_stall){
			    .cycles = s->slots[entry->slot + i], .index = i};
	unwind_fail(s->parts.status,
		    s->parts.sink->count(s->parts.sink->user, &count, stalls));
}

/* Keeps an entry whose stack is not known yet as entry `id`. */
static void keep_entry(struct spans *s, struct entry entry, uint32_t id)
{
	const uint32_t count = s->spans[entry.span].count, to = s->nslots;
	memmove(&s->slots[to], &s->slots[entry.slot], count * sizeof(*s->slots));
	s->nslots += count;
	entry.slot = to;
	s->entries[id] = entry;
	if (!tr_map_set(&s->entry_ids, tr_pair_key(entry.node, entry.span), id))
		unwind_fail(s->parts.status, TR_E_NOMEM);
}

void tr_spans_write(struct spans *s)
{
	const uint32_t count = s->nentries;
	s->nentries = s->nslots = 0;
	tr_map_clear(&s->entry_ids);
	for (uint32_t i = 0; i < s->nspans; i++)
		s->spans[i].node = 0;
	for (uint32_t i = 0; i < count && !unwind_failed(s->parts.status); i++) {
		if (tr_nodes_has_root(s->parts.nodes, s->entries[i].node))
			write_span_entry(s, &s->entries[i]);
		else
			keep_entry(s, s->entries[i], s->nentries++);
	}
	for (uint32_t i = 0; i < s->nbranches && !unwind_failed(s->parts.status); i++)
		unwind_fail(s->parts.status,
			    s->parts.sink->branch(s->parts.sink->user, &s->branches[i]));
	s->nbranches = 0;
	tr_map_clear(&s->branch_ids);
}

void tr_spans_end_frame(struct spans *s)
{
	if (s->nentries > ENTRIES || s->nslots > SLOTS || s->nbranches > BRANCHES)
		tr_spans_write(s);
}
