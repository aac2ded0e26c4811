/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinder's information about each block in each address space, classified when it
 * first runs; and the spaces and the programs in them. Ended spaces are dropped. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_spans.h"

enum { PAIRS_A_CHUNK = 4096, PAIRS_SLACK = 1 << 16 };

static struct pair *pair_at(const struct tr_unwind *u, uint32_t i)
{
	return &u->chunks[i / PAIRS_A_CHUNK][i % PAIRS_A_CHUNK];
}

/* Makes copies of the pairs of `space` (NULL: all) that harts still refer to. */
static void hold_last(struct tr_unwind *u, const uint32_t *space)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		struct hart *h = u->harts[i];
		if (!h || h->from == &h->held || (space && h->from->space != *space))
			continue;
		h->held = *h->from;
		h->from = &h->held;
	}
}

static void free_segments(struct tr_unwind *u)
{
	for (uint32_t i = 0; i < u->npairs; i++)
		free(pair_at(u, i)->segments);
}

/* Frees the pairs of a space, starting at its first. */
static void pairs_forget(struct tr_unwind *u, uint32_t first)
{
	if (first == TR_MAP_NONE)
		return;
	hold_last(u, &pair_at(u, first)->space);
	for (uint32_t next, i = first; i != TR_MAP_NONE; i = next) {
		struct pair *p = pair_at(u, i);
		next = p->next;
		if (u->recent[p->block].pair == p)
			u->recent[p->block].run = RECENT_NONE;
		free(p->segments);
		*p = (struct pair){.is_free = true, .next = u->free_pair};
		u->free_pair = i;
		u->live_pairs--;
	}
}

struct space *tr_spaces_find(const struct tr_unwind *u, uint32_t number)
{
	uint32_t i = tr_map_get(&u->space_slots, number);
	/* the map may still contain a dropped space */
	if (i == TR_MAP_NONE || i >= u->nspaces || u->spaces[i].number != number)
		return NULL;
	return &u->spaces[i];
}

static struct space *spaces_get(struct tr_unwind *u, uint32_t number)
{
	struct space *s = tr_spaces_find(u, number);
	if (s || !tr_unwind_reserve(u, (void **)&u->spaces, &u->spaces_capacity,
				    u->nspaces + 1ULL, sizeof(*u->spaces)))
		return s;
	if (!tr_map_set(&u->space_slots, number, u->nspaces)) {
		unwind_fail(u, TR_E_NOMEM);
		return NULL;
	}
	s = &u->spaces[u->nspaces++];
	*s = (struct space){.number = number,
			    .binary = TR_NOTE_UNKNOWN,
			    .first = TR_MAP_NONE,
			    .used = ++u->clock};
	return s;
}

static void spaces_clear(struct tr_unwind *u)
{
	tr_map_clear(&u->space_slots);
	u->nspaces = 0;
}

void tr_spaces_free(struct tr_unwind *u)
{
	tr_map_free(&u->space_slots);
	tr_map_free(&u->satps);
	free(u->spaces);
}

static void forget_space(struct tr_unwind *u, struct space *s)
{
	pairs_forget(u, s->first);
	*s = u->spaces[--u->nspaces];
	if (u->nspaces &&
	    !tr_map_set(&u->space_slots, s->number, (uint32_t)(s - u->spaces)))
		unwind_fail(u, TR_E_NOMEM);
	if (u->space_slots.count < 2ULL * u->nspaces + SPACES_SLACK)
		return;
	tr_map_clear(&u->space_slots);
	for (uint32_t i = 0; i < u->nspaces; i++)
		if (!tr_map_set(&u->space_slots, u->spaces[i].number, i))
			unwind_fail(u, TR_E_NOMEM);
}

static bool is_global(uint32_t number)
{
	return number == TR_SPACE_MACHINE || number == TR_SPACE_SUPERVISOR;
}

void tr_spaces_see(struct tr_unwind *u, const struct tr_context *context)
{
	if ((context->priv & 3) != TR_PRIV_U || !context->space)
		return;
	struct space *now = tr_spaces_find(u, context->space);
	if (now)
		now->used = ++u->clock;
	uint32_t before = tr_map_get(&u->satps, context->satp);
	if (before != TR_MAP_NONE && before >= context->space)
		return;
	struct space *dead = before == TR_MAP_NONE ? NULL : tr_spaces_find(u, before);
	if (dead && !is_global(before))
		forget_space(u, dead);
	if (u->satps.count >= SATPS_MAX)
		tr_map_clear(&u->satps);
	if (!tr_map_set(&u->satps, context->satp, context->space))
		unwind_fail(u, TR_E_NOMEM);
}

static int compare_space_use(const void *a, const void *b)
{
	const struct space *x = a, *y = b;
	return (x->used < y->used) - (x->used > y->used);
}

/* Drops the least recently used spaces when there are too many pairs. */
static void spaces_limit(struct tr_unwind *u)
{
	if (u->live_pairs < TR_UNWIND_PAIRS || u->nspaces < 4)
		return;
	qsort(u->spaces, u->nspaces, sizeof(*u->spaces), compare_space_use);
	tr_map_clear(&u->space_slots);
	for (uint32_t i = 0; i < u->nspaces; i++)
		if (!tr_map_set(&u->space_slots, u->spaces[i].number, i))
			unwind_fail(u, TR_E_NOMEM);
	for (uint32_t i = u->nspaces; i-- > 1 && u->live_pairs > TR_UNWIND_PAIRS / 2;) {
		if (is_global(u->spaces[i].number))
			continue;
		u->totals.spaces_forgotten++;
		forget_space(u, &u->spaces[i]);
	}
}

void tr_pairs_generation(struct tr_unwind *u)
{
	hold_last(u, NULL);
	free_segments(u);
	tr_map_clear(&u->pairs);
	spaces_clear(u);
	u->npairs = u->live_pairs = u->nblocks = u->ntimings = 0;
	u->free_pair = TR_MAP_NONE;
}

void tr_pairs_forget_nodes(struct tr_unwind *u)
{
	for (uint32_t i = 0; i < u->npairs; i++)
		for (uint32_t k = 0; k < pair_at(u, i)->nsegments; k++)
			pair_at(u, i)->segments[k].base = UINT32_MAX;
}

void tr_pairs_free(struct tr_unwind *u)
{
	free(u->spare.segments);
	free_segments(u);
	for (uint32_t i = 0; i < u->nchunks; i++)
		free(u->chunks[i]);
	free(u->chunks);
	free(u->recent);
	free(u->with_classes);
	tr_map_free(&u->pairs);
}

static bool add_chunk(struct tr_unwind *u)
{
	struct pair **chunks = realloc(u->chunks, (u->nchunks + 1) * sizeof(*chunks));
	if (!chunks)
		return false;
	u->chunks = chunks;
	chunks[u->nchunks] = aligned_alloc(PAIR_BYTES, PAIRS_A_CHUNK * sizeof(**chunks));
	if (!chunks[u->nchunks])
		return false;
	u->nchunks++;
	return true;
}

/* Removes freed pairs from the map once they are the majority. */
static void clean_map(struct tr_unwind *u)
{
	if (u->pairs.count < 2ULL * u->live_pairs + PAIRS_SLACK)
		return;
	tr_map_clear(&u->pairs);
	for (uint32_t i = 0; i < u->npairs; i++) {
		const struct pair *p = pair_at(u, i);
		if (!p->is_free &&
		    !tr_map_set(&u->pairs, tr_pair_key(p->space, p->block), i))
			unwind_fail(u, TR_E_NOMEM);
	}
}

/* Returns the index of a free pair; TR_MAP_NONE when out of memory. */
static uint32_t take_free_pair(struct tr_unwind *u)
{
	uint32_t i = u->free_pair;
	if (i != TR_MAP_NONE) {
		u->free_pair = pair_at(u, i)->next;
		return i;
	}
	if (u->npairs == u->nchunks * PAIRS_A_CHUNK && !add_chunk(u))
		return TR_MAP_NONE;
	return u->npairs++;
}

static struct pair *new_pair(struct tr_unwind *u, uint32_t space, uint32_t block)
{
	clean_map(u);
	struct space *s = spaces_get(u, space);
	uint32_t i = s ? take_free_pair(u) : TR_MAP_NONE;
	if (i == TR_MAP_NONE) {
		unwind_fail(u, TR_E_NOMEM);
		return &u->spare;
	}
	struct pair *p = pair_at(u, i);
	*p = (struct pair){
	    .space = space, .block = block, .binary = TR_NOTE_UNKNOWN, .next = s->first};
	if (!tr_map_set(&u->pairs, tr_pair_key(space, block), i))
		unwind_fail(u, TR_E_NOMEM);
	s->first = i;
	u->live_pairs++;
	return p;
}

/* Returns the pair, which it adds if it is new; a new pair is not classified yet. */
static struct pair *get_pair(struct tr_unwind *u, uint32_t space, uint32_t block)
{
	uint32_t i = tr_map_get(&u->pairs, tr_pair_key(space, block));
	if (i != TR_MAP_NONE) {
		struct pair *p = pair_at(u, i);
		if (p->space == space && p->block == block && !p->is_free)
			return p;
	}
	return new_pair(u, space, block);
}

/* Moves an object to the front. */
static void add_object(struct space *s, const struct object *object)
{
	uint32_t i = 0;
	while (i < s->nobjects && (s->objects[i].binary != object->binary ||
				   s->objects[i].bias != object->bias))
		i++;
	if (i == s->nobjects && i < OBJECTS)
		s->nobjects++;
	else if (i == OBJECTS)
		i--;
	memmove(&s->objects[1], &s->objects[0], i * sizeof(s->objects[0]));
	s->objects[0] = *object;
}

static void add_home(struct tr_unwind *u, const struct tr_note *note)
{
	struct space *s = tr_spaces_find(u, note->space);
	if (note->binary >= u->options.nprograms)
		return;
	uint64_t bias = u->ops.block(u->ops.user, note->block)->pc - note->address;
	u->binaries[note->binary].bias = bias;
	if (s)
		add_object(s, &(struct object){bias, note->binary});
	if (!s || s->binary != TR_NOTE_UNKNOWN)
		return;
	s->binary = note->binary;
	s->bias = bias;
}

static void add_notes(struct tr_unwind *u, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nnotes; i++) {
		const struct tr_note *note = &frame->notes[i];
		if (note->block >= u->nblocks || (note->binary >= u->options.nprograms &&
						  note->binary != TR_NOTE_UNKNOWN &&
						  note->binary != TR_NOTE_AMBIGUOUS)) {
			unwind_fail(u, TR_E_CORRUPT);
			return;
		}
		struct pair *p = get_pair(u, note->space, note->block);
		p->binary = note->binary;
		p->address = note->address;
		p->ready = false;
		u->recent[note->block].run = RECENT_NONE;
		add_home(u, note);
	}
}

static void add_timings(struct tr_unwind *u, uint32_t count)
{
	if (!tr_unwind_reserve(u, (void **)&u->with_classes, &u->timings_capacity, count,
			       sizeof(*u->with_classes)))
		return;
	for (; u->ntimings < count; u->ntimings++) {
		const struct tr_timing *t = u->ops.timing(u->ops.user, u->ntimings);
		u->with_classes[u->ntimings] = t->nruns != 0;
		u->has_classes |= u->with_classes[u->ntimings];
	}
}

void tr_pairs_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		    uint32_t ntimings)
{
	if (!tr_unwind_reserve(u, (void **)&u->recent, &u->recent_capacity, nblocks,
			       sizeof(*u->recent)))
		return;
	for (; u->nblocks < nblocks; u->nblocks++)
		u->recent[u->nblocks].run = RECENT_NONE;
	spaces_limit(u);
	add_notes(u, frame);
	add_timings(u, ntimings);
}

/* Returns the symbol of the function at an address; `range` is where the answer
 * is valid. */
static uint32_t look_up_function(struct tr_unwind *u, uint32_t binary, uint64_t address,
				 struct tr_function *range, bool *entry)
{
	*entry = false;
	if (binary >= u->options.nprograms) {
		*range = (struct tr_function){.low = 0, .high = UINT64_MAX};
		return binary == TR_NOTE_AMBIGUOUS ? SYM_AMBIGUOUS : SYM_UNKNOWN;
	}
	if (!u->ops.function(u->ops.user, binary, address, range)) {
		*range = (struct tr_function){.low = address, .high = address + 1};
		return u->binaries[binary].nameless;
	}
	*entry = address == range->entry;
	return tr_names_function(u, binary, range);
}

static bool locate_in(struct tr_unwind *u, uint32_t binary, uint64_t bias,
		      struct place *place)
{
	struct tr_function range;
	if (binary >= u->options.nprograms)
		return false;
	place->binary = binary;
	place->address = place->pc - bias;
	place->sym = look_up_function(u, binary, place->pc - bias, &range, &place->entry);
	return !sym_is_blank(u, place->sym);
}

bool tr_pairs_locate(struct tr_unwind *u, const struct pair *near, uint32_t space,
		     struct place *place)
{
	if (locate_in(u, near->binary, near->pc - near->address, place))
		return true;
	const struct space *s = tr_spaces_find(u, space);
	if (!s)
		return false;
	for (uint32_t i = 0; i < s->nobjects; i++)
		if (locate_in(u, s->objects[i].binary, s->objects[i].bias, place))
			return true;
	return locate_in(u, s->binary, s->bias, place);
}

static void add_segment(struct tr_unwind *u, struct pair *p, const struct segment *s)
{
	struct segment *more = realloc(p->segments, (p->nsegments + 1U) * sizeof(*more));
	if (!more) {
		unwind_fail(u, TR_E_NOMEM);
		return;
	}
	p->segments = more;
	more[p->nsegments++] = *s;
}

static unsigned code_length(const struct tr_block *block, const uint8_t *code)
{
	if (block->no_bits)
		return *code;
	return tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
}

/* State of a walk over a block's instructions. */
struct walk {
	struct tr_function range;     /* where `sym` and `entry` are valid */
	struct tr_source_place place; /* where `leaf` is valid */
	uint32_t sym, leaf;
	bool entry;
};

/* Advances to token i, at pc and an address in the file. A segment begins where the
 * function or the leaf changes. */
static void walk_to(struct tr_unwind *u, struct pair *p, struct walk *w, uint16_t i,
		    uint64_t pc, uint64_t address)
{
	struct segment s = {.pc = pc, .base = UINT32_MAX, .first = i};
	uint32_t leaf = w->leaf;
	if (address - w->range.low >= w->range.high - w->range.low) {
		s.sym = look_up_function(u, p->binary, address, &w->range, &s.entry);
		s.moves = s.sym != w->sym;
		w->sym = s.sym;
	}
	if (address - w->place.low >= w->place.high - w->place.low)
		w->leaf = tr_leaves_at(u, p->binary, address, &w->place);
	if (!s.moves && w->leaf == leaf)
		return;
	s.sym = w->sym;
	s.leaf = sym_is_blank(u, w->sym) ? 0 : w->leaf;
	add_segment(u, p, &s);
}

/* Returns the instruction at `pc`, of at most 8 bytes, from the block or, if the source
 * has no instruction bits, from the file; NULL if unknown. *length is always set. */
static const uint8_t *code_at(struct tr_unwind *u, const struct pair *p,
			      const struct tr_block *block, const uint8_t *own,
			      uint64_t pc, unsigned *length)
{
	const uint64_t address = p->address + (pc - p->pc);
	*length = code_length(block, own);
	if (!block->no_bits)
		return own;
	if (!u->ops.code || p->binary >= u->options.nprograms)
		return NULL;
	const uint8_t *code = u->ops.code(u->ops.user, p->binary, address, 2);
	/* A source of addresses alone guesses the length of a jump. */
	if (code)
		*length = tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
	if (code && *length > 2)
		code = u->ops.code(u->ops.user, p->binary, address, *length);
	return code;
}

/* Accumulates an instruction's effect on sp. The source may report writes other than
 * additions. */
static void add_sp(const struct tr_unwind *u, struct pair *p, const uint8_t *code,
		   unsigned length, unsigned isa)
{
	int64_t bytes = 0;
	enum tr_sp_effect effect =
	    code ? tr_decode_sp(code, length, isa, &bytes) : TR_SP_KEEPS;
	p->last_sp = effect & 7U;
	if (effect == TR_SP_ADDS)
		p->sp += (int32_t)bytes;
	if (effect <= TR_SP_ADDS || u->options.has_sp)
		return;
	p->sp_write = effect & 7U;
	p->sp = (int32_t)bytes;
}

/* The control flow of the last instruction; code that `is_vague` may transfer control. */
static void set_flow(struct pair *p, const uint8_t *code, unsigned length, unsigned isa,
		     bool is_vague)
{
	p->flow = FLOW_NO_BITS;
	if (!code || is_vague)
		return;
	p->flow = (uint8_t)tr_decode_flow(code, length, isa);
	p->is_alternate = tr_decode_is_alternate(code, length);
}

/* Calls by the block's last instruction are distinguished from others. */
static void add_site(struct tr_unwind *u, struct pair *p)
{
	uint32_t spot = tr_spans_last_spot(u, p);
	if (spot != TR_NO_SPOT && !sym_is_blank(u, p->last_sym))
		p->last_leaf = tr_leaves_site(u, p->last_leaf, spot);
}

/* Walks over the block's instructions to find its functions, its effect on sp and the
 * control flow at its end. */
static void classify_pair(struct tr_unwind *u, struct pair *p)
{
	const struct tr_block *block = u->ops.block(u->ops.user, p->block);
	const uint8_t *own = block->code, *code = NULL;
	uint64_t pc = block->pc, bias = block->pc - p->address;
	struct walk w = {.leaf = 0};
	enum tr_zcm vague = TR_ZCM_NONE;
	unsigned length = 0, isa;
	bool entry;

	p->pc = pc;
	p->nsegments = 0;
	p->is_vague = false;
	p->sp = 0;
	p->sp_write = TR_SP_KEEPS;
	w.sym = p->sym = look_up_function(u, p->binary, p->address, &w.range, &entry);
	p->entry = entry;
	isa = tr_isa_of(u, p);
	for (uint16_t i = 0; i < block->tokens; i++) {
		walk_to(u, p, &w, i, pc, pc - bias);
		code = code_at(u, p, block, own, pc, &length);
		vague = tr_isa_vague(u, p, code, length, &isa);
		add_sp(u, p, code, length, isa);
		/* The next address is known: a short branch over as short an
		 * instruction looks like a long instruction. */
		if (i + 1 < block->tokens)
			length = code_length(block, own);
		own += block->no_bits ? 1 : length;
		pc += length;
	}
	p->last_sym = w.sym;
	p->last_leaf = sym_is_blank(u, w.sym) ? 0 : tr_leaves_calls(u, w.leaf);
	p->bytes = (uint16_t)(pc - p->pc);
	/* In a stream without bits no frame shows it. */
	set_flow(p, code, length, isa, block->no_bits && tr_zcm_transfers(vague));
	if (u->spans)
		add_site(u, p);
	p->ready = true;
}

void tr_pairs_settle_vague(struct tr_unwind *u)
{
	u->has_vague = false;
	for (uint32_t i = 0; i < u->npairs; i++) {
		struct pair *p = pair_at(u, i);
		if (p->is_free || !p->is_vague)
			continue;
		classify_pair(u, p);
		u->recent[p->block].run = RECENT_NONE;
	}
}

static const struct pair *use_pair_next(struct tr_unwind *u, struct pair *p)
{
	if (!p->ready)
		classify_pair(u, p);
	uint32_t sym = p->nsegments ? SYM_SPLIT : p->sym;
	bool is_looked_at = p->flow > TR_FLOW_INDIRECT || p->sp || p->sp_write;
	u->recent[p->block] =
	    (struct recent){.run = recent_run(p->space, sym, is_looked_at), .pair = p};
	if (u->spans)
		tr_spans_use(u, p);
	return p;
}

const struct pair *tr_pairs_find(struct tr_unwind *u, uint32_t space, uint32_t block)
{
	return use_pair_next(u, get_pair(u, space, block));
}

static const uint8_t *fetch_binary_code(const struct tr_unwind *u, uint32_t binary,
					uint64_t pc, unsigned bytes)
{
	if (!u->ops.code || binary >= u->options.nprograms)
		return NULL;
	return u->ops.code(u->ops.user, binary, pc - u->binaries[binary].bias, bytes);
}

/* Returns true if the file of a binary contains this block. */
static bool has_block(const struct tr_unwind *u, uint32_t binary,
		      const struct tr_block *block)
{
	const uint8_t *code = fetch_binary_code(u, binary, block->pc, block->bytes);
	return code && (block->no_bits || memcmp(code, block->code, block->bytes) == 0);
}

const struct pair *tr_pairs_of_program(struct tr_unwind *u, uint32_t binary,
				       const struct pair *match)
{
	const struct tr_block *block = u->ops.block(u->ops.user, match->block);
	struct pair *p = get_pair(u, PROGRAM_SPACES + binary, match->block);
	if (p->ready)
		return use_pair_next(u, p);
	p->binary = match->binary;
	p->address = match->address;
	if (has_block(u, binary, block)) {
		p->binary = binary;
		p->address = block->pc - u->binaries[binary].bias;
	}
	return use_pair_next(u, p);
}
