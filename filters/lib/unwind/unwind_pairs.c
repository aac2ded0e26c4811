/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks in address spaces: where they are kept, and for how long. */
#include "unwind/unwind_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_pairs_internal.h"
#include "unwind/unwind_spans.h"

enum { PAIRS_A_CHUNK = 4096, PAIRS_SLACK = 1 << 16 };

/* Spaces of programs, by binary, if the source does not report satp. */
#define PROGRAM_SPACES UINT32_C(0x80000000)

static struct pair *pair_at(const struct tr_pairs *pairs, uint32_t i)
{
	return &pairs->chunks[i / PAIRS_A_CHUNK][i % PAIRS_A_CHUNK];
}

/* Makes copies of the pairs of `space` (NULL: all) that harts have pinned. */
static void hold_last(struct tr_pairs *pairs, const uint32_t *space)
{
	for (uint32_t i = 0; i < pairs->npins; i++) {
		const struct pair_pin *pin = &pairs->pins[i];
		if (*pin->last == pin->copy || (space && (*pin->last)->space != *space))
			continue;
		*pin->copy = **pin->last;
		*pin->last = pin->copy;
	}
}

static void free_segments(struct tr_pairs *pairs)
{
	for (uint32_t i = 0; i < pairs->count; i++)
		free(pair_at(pairs, i)->segments);
}

/* Frees the pairs of a space, starting at its first. */
static void pairs_forget(struct tr_pairs *pairs, uint32_t first)
{
	if (first == SPACE_LIST_END)
		return;
	hold_last(pairs, &pair_at(pairs, first)->space);
	for (uint32_t next, i = first; i != SPACE_LIST_END; i = next) {
		struct pair *p = pair_at(pairs, i);
		next = p->next;
		if (pairs->recent[p->block].pair == p)
			pairs->recent[p->block].run = RECENT_NONE;
		free(p->segments);
		*p = (struct pair){.is_free = true, .next = pairs->free};
		pairs->free = i;
		pairs->live--;
	}
}

/* Drops the least recently used spaces when there are too many pairs. */
static void spaces_limit(struct tr_pairs *pairs)
{
	uint32_t first;
	if (pairs->live < TR_UNWIND_PAIRS || !tr_spaces_sort(pairs->parts.spaces))
		return;
	while (pairs->live > TR_UNWIND_PAIRS / 2 &&
	       tr_spaces_drop_oldest(pairs->parts.spaces, &first))
		pairs_forget(pairs, first);
}

void tr_pairs_see(struct tr_pairs *pairs, const struct tr_context *context)
{
	pairs_forget(pairs, tr_spaces_see(pairs->parts.spaces, context));
}

void tr_pairs_pin(struct tr_pairs *pairs, const struct pair **last, struct pair *copy)
{
	if (pairs->npins < TR_MAX_HARTS)
		pairs->pins[pairs->npins++] = (struct pair_pin){last, copy};
}

void tr_pairs_generation(struct tr_pairs *pairs)
{
	hold_last(pairs, NULL);
	free_segments(pairs);
	tr_map_clear(&pairs->ids);
	tr_spaces_clear(pairs->parts.spaces);
	pairs->count = pairs->live = pairs->nblocks = 0;
	pairs->free = TR_MAP_NONE;
}

void tr_pairs_forget_nodes(struct tr_pairs *pairs)
{
	for (uint32_t i = 0; i < pairs->count; i++)
		for (uint32_t k = 0; k < pair_at(pairs, i)->nsegments; k++)
			pair_at(pairs, i)->segments[k].base = UINT32_MAX;
}

void tr_pairs_init(struct tr_pairs *pairs, const struct pair_parts *parts,
		   const struct tr_unwind_options *options)
{
	*pairs = (struct tr_pairs){.parts = *parts,
				   .nbinaries = options->nprograms,
				   .has_sp = options->has_sp,
				   .free = TR_MAP_NONE};
}

void tr_pairs_release(struct tr_pairs *pairs)
{
	free(pairs->spare.segments);
	free_segments(pairs);
	for (uint32_t i = 0; i < pairs->nchunks; i++)
		free(pairs->chunks[i]);
	free(pairs->chunks);
	free(pairs->recent);
	tr_map_free(&pairs->ids);
}

static bool add_chunk(struct tr_pairs *pairs)
{
	struct pair **chunks =
	    realloc(pairs->chunks, (pairs->nchunks + 1) * sizeof(*chunks));
	if (!chunks)
		return false;
	pairs->chunks = chunks;
	chunks[pairs->nchunks] =
	    aligned_alloc(PAIR_BYTES, PAIRS_A_CHUNK * sizeof(**chunks));
	if (!chunks[pairs->nchunks])
		return false;
	pairs->nchunks++;
	return true;
}

/* Removes freed pairs from the map once they are the majority. */
static void clean_map(struct tr_pairs *pairs)
{
	if (pairs->ids.count < 2ULL * pairs->live + PAIRS_SLACK)
		return;
	tr_map_clear(&pairs->ids);
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct pair *p = pair_at(pairs, i);
		if (!p->is_free &&
		    !tr_map_set(&pairs->ids, tr_pair_key(p->space, p->block), i))
			unwind_fail(pairs->parts.status, TR_E_NOMEM);
	}
}

/* Returns the index of a free pair; TR_MAP_NONE when out of memory. */
static uint32_t take_free_pair(struct tr_pairs *pairs)
{
	uint32_t i = pairs->free;
	if (i != TR_MAP_NONE) {
		pairs->free = pair_at(pairs, i)->next;
		return i;
	}
	if (pairs->count == pairs->nchunks * PAIRS_A_CHUNK && !add_chunk(pairs))
		return TR_MAP_NONE;
	return pairs->count++;
}

static struct pair *new_pair(struct tr_pairs *pairs, uint32_t space, uint32_t block)
{
	clean_map(pairs);
	uint32_t *first = tr_spaces_list(pairs->parts.spaces, space);
	uint32_t i = first ? take_free_pair(pairs) : TR_MAP_NONE;
	if (i == TR_MAP_NONE) {
		unwind_fail(pairs->parts.status, TR_E_NOMEM);
		return &pairs->spare;
	}
	struct pair *p = pair_at(pairs, i);
	*p = (struct pair){
	    .space = space, .block = block, .binary = TR_NOTE_UNKNOWN, .next = *first};
	if (!tr_map_set(&pairs->ids, tr_pair_key(space, block), i))
		unwind_fail(pairs->parts.status, TR_E_NOMEM);
	*first = i;
	pairs->live++;
	return p;
}

/* Returns the pair, which it adds if it is new; a new pair is not classified yet. */
static struct pair *get_pair(struct tr_pairs *pairs, uint32_t space, uint32_t block)
{
	uint32_t i = tr_map_get(&pairs->ids, tr_pair_key(space, block));
	if (i != TR_MAP_NONE) {
		struct pair *p = pair_at(pairs, i);
		if (p->space == space && p->block == block && !p->is_free)
			return p;
	}
	return new_pair(pairs, space, block);
}

static bool has_home(const struct tr_pairs *pairs, uint32_t space)
{
	struct space_object home;
	return tr_spaces_home(pairs->parts.spaces, space, &home);
}

static void add_home(struct tr_pairs *pairs, const struct tr_note *note)
{
	uint32_t binary = note->binary;
	uint64_t address = note->address;
	bool is_direct;
	if (note->binary >= pairs->nbinaries)
		return;
	const struct space_object object = {
	    .bias =
		pairs->parts.source->block(pairs->parts.source->user, note->block)->pc -
		note->address,
	    .binary = note->binary};
	if (tr_pairs_origin(pairs, &binary, &address, &is_direct) &&
	    !has_home(pairs, note->space))
		return;
	tr_binaries_place(pairs->parts.binaries, note->binary, object.bias);
	tr_spaces_found(pairs->parts.spaces, note->space, &object);
}

static void add_notes(struct tr_pairs *pairs, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nnotes; i++) {
		const struct tr_note *note = &frame->notes[i];
		if (note->block >= pairs->nblocks ||
		    (note->binary >= pairs->nbinaries &&
		     note->binary != TR_NOTE_UNKNOWN &&
		     note->binary != TR_NOTE_AMBIGUOUS)) {
			unwind_fail(pairs->parts.status, TR_E_CORRUPT);
			return;
		}
		struct pair *p = get_pair(pairs, note->space, note->block);
		p->binary = note->binary;
		p->address = note->address;
		p->ready = false;
		pairs->recent[note->block].run = RECENT_NONE;
		add_home(pairs, note);
	}
}

void tr_pairs_settle_vague(struct tr_pairs *pairs)
{
	pairs->has_vague = false;
	for (uint32_t i = 0; i < pairs->count; i++) {
		struct pair *p = pair_at(pairs, i);
		if (p->is_free || !p->is_vague)
			continue;
		tr_pairs_classify(pairs, p);
		pairs->recent[p->block].run = RECENT_NONE;
	}
}

void tr_pairs_frame(struct tr_pairs *pairs, const struct tr_frame *frame,
		    uint32_t nblocks)
{
	if (!tr_unwind_reserve(pairs->parts.status, (void **)&pairs->recent,
			       &pairs->recent_capacity, nblocks, sizeof(*pairs->recent)))
		return;
	for (; pairs->nblocks < nblocks; pairs->nblocks++)
		pairs->recent[pairs->nblocks].run = RECENT_NONE;
	spaces_limit(pairs);
	add_notes(pairs, frame);
	if (pairs->has_vague && !unwind_failed(pairs->parts.status) &&
	    tr_isa_look(pairs->parts.isa))
		tr_pairs_settle_vague(pairs);
}

static const struct pair *use_pair_next(struct tr_pairs *pairs, struct pair *p)
{
	if (!p->ready)
		tr_pairs_classify(pairs, p);
	uint32_t sym = p->nsegments ? SYM_SPLIT : p->sym;
	bool is_looked_at = p->flow > TR_FLOW_INDIRECT || p->sp || p->sp_write;
	pairs->recent[p->block] =
	    (struct recent){.run = recent_run(p->space, sym, is_looked_at), .pair = p};
	if (pairs->parts.spans)
		tr_spans_use(pairs->parts.spans, p, pairs->nblocks);
	return p;
}

const struct pair *tr_pairs_find(struct tr_pairs *pairs, uint32_t space, uint32_t block)
{
	return use_pair_next(pairs, get_pair(pairs, space, block));
}

static const uint8_t *fetch_binary_code(const struct tr_pairs *pairs, uint32_t binary,
					uint64_t pc, unsigned bytes)
{
	if (!pairs->parts.source->code || binary >= pairs->nbinaries)
		return NULL;
	return pairs->parts.source->code(
	    pairs->parts.source->user, binary,
	    tr_binaries_address(pairs->parts.binaries, binary, pc), bytes);
}

/* Returns true if the file of a binary contains this block. */
static bool has_block(const struct tr_pairs *pairs, uint32_t binary,
		      const struct tr_block *block)
{
	const uint8_t *code = fetch_binary_code(pairs, binary, block->pc, block->bytes);
	return code && (block->no_bits || memcmp(code, block->code, block->bytes) == 0);
}

const struct pair *tr_pairs_of_program(struct tr_pairs *pairs, uint32_t binary,
				       const struct pair *match)
{
	const struct tr_block *block =
	    pairs->parts.source->block(pairs->parts.source->user, match->block);
	if (match->is_stub)
		return match;
	struct pair *p = get_pair(pairs, PROGRAM_SPACES + binary, match->block);
	if (p->ready)
		return use_pair_next(pairs, p);
	p->binary = match->binary;
	p->address = match->address;
	if (has_block(pairs, binary, block)) {
		p->binary = binary;
		p->address =
		    tr_binaries_address(pairs->parts.binaries, binary, block->pc);
	}
	return use_pair_next(pairs, p);
}
