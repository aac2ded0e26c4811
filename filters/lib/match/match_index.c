/* SPDX-License-Identifier: Apache-2.0 */
/* The two-level map from code to its possible sites. */
#include "match/match_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/little.h"
#include "match/match_anchors.h"
#include "match/match_inner.h"
#include "stream/reader.h"

enum { PAGE = 4096, LARGE_PAGE = 1 << 21, OFFSETS = PAGE / 2 };
enum { MOVED_MAX = 1 << 20 }; /* bytes of code that may copy itself */

struct site {
	uint32_t bits; /* low 32 bits of the instruction */
	uint32_t half; /* index over the halfwords of all runs */
};

struct run {
	struct tr_code code;
	uint32_t binary;
	uint32_t first_half;
};

struct tr_match_index {
	struct tr_match_binary *binaries;
	size_t nbinaries;
	struct run *runs; /* of binaries with a fixed address */
	size_t nruns, run_room;
	struct site *sites;		/* sorted by page offset, then bits, then half */
	uint32_t first[OFFSETS + 1];	/* first site of each page offset */
	struct tr_match_anchors *paged; /* of binaries that pages may be mapped of */
	struct tr_match_anchors *anywhere; /* of kernel modules, and of what may copy
					    * itself */
	uint32_t *entries;		   /* binaries, by page offset of their entry */
	uint32_t first_entry[OFFSETS + 1];
	struct tr_match_parts parts;
	bool moves[4]; /* by privilege: some of `anywhere` may run */
	bool overlays; /* a binary has some */
};

/* Returns the bits of the instruction at `at`, 0 if it extends beyond `end`. */
static uint32_t bits_at(const uint8_t *at, const uint8_t *end)
{
	if (end - at < 2)
		return 0;
	uint32_t low = tr_load16(at);
	unsigned size = tr_insn_length(low);
	if (size == 2 || size == 0)
		return low;
	return end - at < 4 ? 0 : tr_load32(at);
}

static bool floats(const struct tr_match_binary *binary)
{
	return tr_image_is_pie(binary->image) && !binary->has_base;
}

/* A kernel's file need not say where it is loaded, and a kernel may relocate itself
 * (KASLR) in steps of a large page, as its page tables require. */
static bool relocates(const struct tr_match_binary *binary)
{
	return binary->role == TR_ROLE_KERNEL && !binary->has_base &&
	       !tr_image_is_module(binary->image);
}

/* Collects the code of binaries with a fixed address. */
static bool collect_runs(struct tr_match_index *index, uint64_t *halves)
{
	*halves = 0;
	for (uint32_t b = 0; b < index->nbinaries; b++) {
		const struct tr_image *image = index->binaries[b].image;
		size_t count =
		    floats(&index->binaries[b]) ? 0 : tr_image_code_count(image);
		for (size_t i = 0; i < count; i++) {
			if (!tr_grow(&index->runs, &index->run_room, index->nruns + 1,
				     sizeof(*index->runs)))
				return false;
			const struct tr_code *code = tr_image_code(image, i);
			index->runs[index->nruns++] = (struct run){
			    .code = *code, .binary = b, .first_half = (uint32_t)*halves};
			*halves += code->size / 2;
		}
	}
	return *halves < UINT32_MAX;
}

uint64_t tr_match_size(const struct tr_match_index *index, uint32_t binary)
{
	const struct tr_image *image = index->binaries[binary].image;
	uint64_t size = 0;
	for (size_t i = 0; i < tr_image_code_count(image); i++)
		size += tr_image_code(image, i)->size;
	return size;
}

static bool role_allows(enum tr_role role, uint8_t priv)
{
	switch (role) {
	case TR_ROLE_FIRMWARE:
		return (priv & 3) == TR_PRIV_M;
	case TR_ROLE_KERNEL:
		return (priv & 3) == TR_PRIV_S;
	case TR_ROLE_USER:
		return (priv & 3) == TR_PRIV_U;
	default:
		return true;
	}
}

/* Returns true if the code of a binary may be on any page, or at any address. */
static bool may_move(const struct tr_match_index *index, uint32_t b, bool anywhere)
{
	const struct tr_match_binary *binary = &index->binaries[b];
	bool is_module = tr_image_is_module(binary->image);
	if (floats(binary))
		return is_module == anywhere;
	if (anywhere)
		return (binary->role == TR_ROLE_ANY ||
			binary->role == TR_ROLE_FIRMWARE) &&
		       tr_match_size(index, b) <= MOVED_MAX;
	return binary->role != TR_ROLE_USER;
}

/* Indexes the code that may be on any page, or at any address. Returns NULL when out of
 * memory. */
static struct tr_match_anchors *make_anchors(const struct tr_match_index *index,
					     bool anywhere)
{
	struct tr_match_anchors *anchors = NULL;
	struct tr_anchored_code *codes = NULL;
	size_t count = 0, room = 0;
	bool good = true;
	for (uint32_t b = 0; b < index->nbinaries && good; b++) {
		const struct tr_image *image = index->binaries[b].image;
		size_t n = may_move(index, b, anywhere) ? tr_image_code_count(image) : 0;
		good = tr_grow(&codes, &room, count + n + 1, sizeof(*codes));
		for (size_t i = 0; i < n && good; i++) {
			const struct tr_code *code = tr_image_code(image, i);
			codes[count++] = (struct tr_anchored_code){
			    .code = *code,
			    .mask = tr_image_mask(image, code->data),
			    .binary = b};
		}
	}
	if (good)
		anchors = tr_match_anchors_new(codes, count, !anywhere);
	free(codes);
	return anchors;
}

/* Returns true if the kernel may begin the execution of a program in this binary. */
static bool has_entry(const struct tr_match_binary *binary)
{
	return (binary->role == TR_ROLE_USER || binary->role == TR_ROLE_ANY) &&
	       tr_image_entry(binary->image) && !tr_image_has_interpreter(binary->image);
}

static unsigned entry_offset(const struct tr_match_binary *binary)
{
	return (unsigned)(tr_image_entry(binary->image) % PAGE / 2);
}

/* Counting sort by page offset. Returns false when out of memory. */
static bool collect_entries(struct tr_match_index *index)
{
	index->entries = malloc((index->nbinaries + 1) * sizeof(*index->entries));
	if (!index->entries)
		return false;
	for (size_t b = 0; b < index->nbinaries; b++)
		if (has_entry(&index->binaries[b]))
			index->first_entry[entry_offset(&index->binaries[b])]++;
	uint32_t end = 0;
	for (unsigned i = 0; i <= OFFSETS; i++) {
		end += index->first_entry[i];
		index->first_entry[i] = end;
	}
	for (size_t b = index->nbinaries; b-- > 0;)
		if (has_entry(&index->binaries[b])) {
			unsigned offset = entry_offset(&index->binaries[b]);
			index->entries[--index->first_entry[offset]] = (uint32_t)b;
		}
	return true;
}

/* Finds out at which privileges there is code that may be at any address. */
static void note_moves(struct tr_match_index *index)
{
	static const uint8_t privs[] = {TR_PRIV_S, TR_PRIV_M};
	for (uint32_t b = 0; b < index->nbinaries; b++)
		for (size_t i = 0; i < sizeof(privs); i++)
			index->moves[privs[i]] |=
			    may_move(index, b, true) &&
			    (index->binaries[b].any_priv ||
			     role_allows(index->binaries[b].role, privs[i]));
}

static unsigned offset_of(const struct run *run, uint64_t half)
{
	return (unsigned)((run->code.address + half * 2) % PAGE / 2);
}

/* One pass of a stable radix sort, by the byte of the bits at `shift`. */
static void sort_pass(const struct site *from, struct site *to, size_t count,
		      unsigned shift)
{
	size_t next[257] = {0};
	for (size_t i = 0; i < count; i++)
		next[(from[i].bits >> shift & 255) + 1]++;
	for (unsigned i = 0; i < 256; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < count; i++)
		to[next[from[i].bits >> shift & 255]++] = from[i];
}

/* Sorts by bits, stably. After four passes the result is in `sites`. */
static void sort_sites(struct site *sites, struct site *scratch, size_t count)
{
	for (unsigned shift = 0; shift < 32; shift += 16) {
		sort_pass(sites, scratch, count, shift);
		sort_pass(scratch, sites, count, shift + 8);
	}
}

/* Counting sort by page offset, then each offset's sites by bits. Returns false when out
 * of memory. */
static bool fill_sites(struct tr_match_index *index)
{
	size_t most = 0;
	uint32_t next[OFFSETS] = {0};
	for (size_t r = 0; r < index->nruns; r++)
		for (uint64_t h = 0; h < index->runs[r].code.size / 2; h++)
			index->first[offset_of(&index->runs[r], h) + 1]++;
	for (unsigned i = 0; i < OFFSETS; i++) {
		most = index->first[i + 1] > most ? index->first[i + 1] : most;
		index->first[i + 1] += index->first[i];
		next[i] = index->first[i];
	}
	struct site *scratch = malloc((most + 1) * sizeof(*scratch));
	if (!scratch)
		return false;
	for (size_t r = 0; r < index->nruns; r++) {
		const struct run *run = &index->runs[r];
		const uint8_t *end = run->code.data + run->code.size;
		for (uint64_t h = 0; h < run->code.size / 2; h++)
			index->sites[next[offset_of(run, h)]++] =
			    (struct site){bits_at(run->code.data + h * 2, end),
					  run->first_half + (uint32_t)h};
	}
	for (unsigned i = 0; i < OFFSETS; i++)
		sort_sites(index->sites + index->first[i], scratch,
			   index->first[i + 1] - index->first[i]);
	free(scratch);
	return true;
}

struct tr_match_index *tr_match_index_new(const struct tr_match_binary *binaries,
					  size_t count)
{
	struct tr_match_index *index = calloc(1, sizeof(*index));
	uint64_t halves;
	if (!index)
		return NULL;
	index->binaries = malloc((count + 1) * sizeof(*binaries));
	index->nbinaries = count;
	if (index->binaries && count)
		memcpy(index->binaries, binaries, count * sizeof(*binaries));
	for (size_t b = 0; b < count && index->binaries; b++)
		index->overlays |= binaries[b].overlays;
	if (index->binaries && collect_runs(index, &halves))
		index->sites = malloc((halves + 1) * sizeof(*index->sites));
	if (index->sites && fill_sites(index)) {
		index->paged = make_anchors(index, false);
		index->anywhere = make_anchors(index, true);
		note_moves(index);
	}
	if (!index->paged || !index->anywhere || !collect_entries(index) ||
	    !tr_match_parts_find(&index->parts, index)) {
		tr_match_index_free(index);
		return NULL;
	}
	return index;
}

void tr_match_index_free(struct tr_match_index *index)
{
	if (!index)
		return;
	free(index->binaries);
	free(index->runs);
	free(index->sites);
	tr_match_anchors_free(index->paged);
	tr_match_anchors_free(index->anywhere);
	free(index->entries);
	free(index->parts.list);
	free(index);
}

size_t tr_match_index_count(const struct tr_match_index *index)
{
	return index->nbinaries;
}

const struct tr_match_binary *tr_match_index_binary(const struct tr_match_index *index,
						    uint32_t binary)
{
	return &index->binaries[binary];
}

bool tr_match_verify(const struct tr_match_index *index, const struct tr_block *block,
		     const struct tr_candidate *candidate)
{
	const struct tr_image *image = index->binaries[candidate->binary].image;
	const uint8_t *code =
	    tr_image_bytes(image, block->pc - candidate->bias, tr_block_reach(block));
	if (!code || block->no_bits)
		return code;
	const uint8_t *mask = tr_image_mask(image, code);
	if (!mask)
		return memcmp(code, block->code, block->bytes) == 0;
	for (unsigned i = 0; i < block->bytes; i++)
		if ((block->code[i] & mask[i]) != code[i])
			return false;
	return true;
}

bool tr_match_compare(const struct tr_match_index *index, const struct tr_block *block,
		      const struct tr_candidate *candidate, struct tr_patch *patch)
{
	const struct tr_match_binary *binary = &index->binaries[candidate->binary];
	const uint8_t *code =
	    tr_image_bytes(binary->image, block->pc - candidate->bias, block->bytes);
	if (!role_allows(binary->role, TR_PRIV_S) || !code || block->no_bits ||
	    tr_match_is_alias(index, candidate))
		return false;
	const uint8_t *mask = tr_image_mask(binary->image, code);
	uint8_t masked[TR_BLOCK_MAX_TOKENS * 8];
	for (unsigned i = 0; mask && i < block->bytes; i++)
		masked[i] = block->code[i] & mask[i];
	*patch = tr_patch_of(mask ? masked : block->code, code, block->bytes);
	return true;
}

/* Returns the bias of a binary that has a base and some code. */
static uint64_t base_bias(const struct tr_match_binary *binary)
{
	return binary->base - tr_image_code(binary->image, 0)->address / PAGE * PAGE;
}

bool tr_match_reaches(const struct tr_match_index *index, uint32_t binary, uint64_t pc)
{
	const struct tr_match_binary *b = &index->binaries[binary];
	if (!tr_image_code_count(b->image) || floats(b))
		return false;
	return tr_image_bytes(b->image, b->has_base ? pc - base_bias(b) : pc, 2);
}

/* Returns true if the binary can run with this bias without being searched for. An
 * executable runs where it is linked, or at its physical load address before translation
 * is on; a base given by the user is authoritative. */
static bool bias_allowed(const struct tr_match_binary *binary, const struct run *run,
			 uint64_t bias)
{
	if (binary->has_base)
		return bias == base_bias(binary);
	return bias == 0 || bias == (uint64_t)run->code.load_delta;
}

static const struct run *run_of(const struct tr_match_index *index, uint32_t half)
{
	size_t low = 0, high = index->nruns;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (index->runs[middle].first_half <= half)
			low = middle;
		else
			high = middle;
	}
	return &index->runs[low];
}

struct found {
	struct tr_candidate **list;
	size_t *room;
	size_t count;
	bool failed;
};

static void consider(const struct tr_match_index *index, const struct tr_block *block,
		     const struct run *run, uint64_t address, uint8_t priv,
		     struct found *found)
{
	const struct tr_match_binary *binary = &index->binaries[run->binary];
	struct tr_candidate candidate = {.bias = block->pc - address,
					 .binary = run->binary};
	if ((!binary->any_priv && !role_allows(binary->role, priv)) ||
	    !bias_allowed(binary, run, candidate.bias) ||
	    !tr_match_verify(index, block, &candidate))
		return;
	if (!tr_grow(found->list, found->room, found->count + 1, sizeof(**found->list))) {
		found->failed = true;
		return;
	}
	(*found->list)[found->count++] = candidate;
}

static void consider_bias(const struct tr_match_index *index,
			  const struct tr_block *block, const struct run *run,
			  uint64_t bias, uint8_t priv, struct found *found)
{
	uint64_t address = block->pc - bias;
	if (address - run->code.address < run->code.size)
		consider(index, block, run, address, priv, found);
}

/* Sources without instruction bits leave only addresses to compare. */
static void consider_address(const struct tr_match_index *index,
			     const struct tr_block *block, uint8_t priv,
			     struct found *found)
{
	for (size_t r = 0; r < index->nruns; r++) {
		const struct run *run = &index->runs[r];
		const struct tr_match_binary *binary = &index->binaries[run->binary];
		uint64_t delta = (uint64_t)run->code.load_delta;
		if (binary->has_base)
			consider_bias(index, block, run, base_bias(binary), priv, found);
		else if (!tr_image_is_pie(binary->image))
			consider_bias(index, block, run, 0, priv, found);
		if (!binary->has_base && !tr_image_is_pie(binary->image) && delta)
			consider_bias(index, block, run, delta, priv, found);
	}
}

uint64_t tr_match_own_bias(const struct tr_match_index *index, uint32_t binary)
{
	const struct tr_match_binary *b = &index->binaries[binary];
	return b->has_base ? base_bias(b) : 0;
}

bool tr_match_inner(const struct tr_match_index *index, const struct tr_block *block,
		    uint8_t priv, struct tr_candidate *place)
{
	for (size_t i = 0; i < index->parts.count; i++) {
		const struct tr_match_part *part = &index->parts.list[i];
		const struct tr_match_binary *inner = &index->binaries[part->part.binary];
		if (part->whole.binary != place->binary ||
		    part->whole.bias != place->bias ||
		    (!inner->any_priv && !role_allows(inner->role, priv)) ||
		    !tr_match_verify(index, block, &part->part))
			continue;
		*place = part->part;
		return true;
	}
	return false;
}

/* Drops the candidates that contain another one. Returns how many are left. */
static size_t keep_inner(const struct tr_match_index *index, const struct tr_block *block,
			 uint8_t priv, struct tr_candidate *list, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count && index->parts.count; i++) {
		struct tr_candidate place = list[i];
		if (!tr_match_inner(index, block, priv, &place))
			list[kept++] = place;
	}
	return index->parts.count ? kept : count;
}

size_t tr_match_candidates(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct tr_candidate **candidates, size_t *room)
{
	struct found found = {.list = candidates, .room = room};
	if (block->no_bits) {
		consider_address(index, block, priv, &found);
		return found.failed
			   ? SIZE_MAX
			   : keep_inner(index, block, priv, *candidates, found.count);
	}
	unsigned offset = (unsigned)(block->pc % PAGE / 2);
	uint32_t bits = bits_at(block->code, block->code + block->bytes);
	uint32_t low = index->first[offset], end = index->first[offset + 1], high = end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (index->sites[middle].bits < bits)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < end && index->sites[low].bits == bits; low++) {
		const struct run *run = run_of(index, index->sites[low].half);
		uint64_t half = index->sites[low].half - run->first_half;
		consider(index, block, run, run->code.address + half * 2, priv, &found);
	}
	return found.failed ? SIZE_MAX
			    : keep_inner(index, block, priv, *candidates, found.count);
}

/* User programs that are in no file have code like that of a large one by chance. */
static bool is_large_alias(const struct tr_match_index *index,
			   const struct tr_candidate *place, uint8_t priv)
{
	return (priv & 3) == TR_PRIV_U &&
	       tr_match_size(index, place->binary) > MOVED_MAX &&
	       tr_match_is_alias(index, place);
}

/* Verifies the places at which an anchor of the block was found. Returns how many were
 * added. */
static size_t keep_places(const struct tr_match_index *index,
			  const struct tr_block *block, uint8_t priv,
			  const struct tr_anchored_place *places, size_t n,
			  struct tr_candidate *candidates)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		const struct tr_match_binary *binary = &index->binaries[places[i].binary];
		struct tr_candidate candidate = {.bias = block->pc - places[i].address,
						 .binary = places[i].binary};
		if ((binary->any_priv || role_allows(binary->role, priv)) &&
		    !is_large_alias(index, &candidate, priv) &&
		    tr_match_verify(index, block, &candidate))
			candidates[kept++] = candidate;
	}
	return kept;
}

size_t tr_match_floating(const struct tr_match_index *index, const struct tr_block *block,
			 uint8_t priv, struct tr_candidate candidates[TR_MATCH_PLACES],
			 bool *absent)
{
	struct tr_anchored_place places[TR_ANCHOR_COMMON];
	bool is_absent = true;
	*absent = block->no_bits;
	if (block->no_bits)
		return 0;
	size_t n = tr_match_anchors_find(index->paged, block->pc, block->code,
					 block->bytes, places, absent);
	size_t kept = keep_places(index, block, priv, places, n, candidates);
	*absent |= n && !kept;
	if (!index->moves[priv & 3])
		return kept;
	n = tr_match_anchors_find(index->anywhere, block->pc, block->code, block->bytes,
				  places, &is_absent);
	*absent &= is_absent;
	return kept + keep_places(index, block, priv, places, n, candidates + kept);
}

bool tr_match_is_in_overlays(const struct tr_match_index *index,
			     const struct tr_block *block, uint8_t priv)
{
	bool found = false;
	for (uint32_t b = 0; b < index->nbinaries && index->overlays; b++) {
		const struct tr_match_binary *binary = &index->binaries[b];
		if (!binary->overlays || floats(binary) ||
		    !tr_image_code_count(binary->image) ||
		    (!binary->any_priv && !role_allows(binary->role, priv)))
			continue;
		const struct tr_candidate place = {tr_match_own_bias(index, b), b};
		if (!tr_image_is_overlaid(binary->image, block->pc - place.bias) ||
		    !tr_match_verify(index, block, &place))
			continue;
		if (found)
			return true;
		found = true;
	}
	return false;
}

bool tr_match_is_alias(const struct tr_match_index *index,
		       const struct tr_candidate *place)
{
	const struct tr_match_binary *binary = &index->binaries[place->binary];
	bool is_home =
	    floats(binary) || (relocates(binary) && place->bias % LARGE_PAGE == 0);
	for (size_t i = 0; i < tr_image_code_count(binary->image) && !is_home; i++) {
		const struct run run = {.code = *tr_image_code(binary->image, i)};
		is_home = bias_allowed(binary, &run, place->bias);
	}
	return !is_home;
}

bool tr_match_is_apart(const struct tr_match_index *index,
		       const struct tr_candidate *alias)
{
	const struct tr_match_binary *binary = &index->binaries[alias->binary];
	uint64_t low, high;
	tr_match_extent(index, alias, &low, &high);
	for (size_t i = 0; i < tr_image_code_count(binary->image); i++) {
		const struct tr_code *code = tr_image_code(binary->image, i);
		uint64_t at = code->address, moved = at + (uint64_t)code->load_delta;
		if (binary->has_base)
			at = moved = at + base_bias(binary);
		if ((at < high && low < at + code->size) ||
		    (moved < high && low < moved + code->size))
			return false;
	}
	return true;
}

bool tr_match_floats(const struct tr_match_index *index, uint32_t binary)
{
	return floats(&index->binaries[binary]);
}

bool tr_match_covers(const struct tr_match_index *index,
		     const struct tr_candidate *candidate, uint64_t pc)
{
	return tr_image_bytes(index->binaries[candidate->binary].image,
			      pc - candidate->bias, 2);
}

void tr_match_extent(const struct tr_match_index *index,
		     const struct tr_candidate *candidate, uint64_t *low, uint64_t *high)
{
	const struct tr_image *image = index->binaries[candidate->binary].image;
	size_t count = tr_image_code_count(image);
	*low = *high = candidate->bias;
	if (!count)
		return;
	const struct tr_code *last = tr_image_code(image, count - 1);
	*low += tr_image_code(image, 0)->address;
	*high += last->address + last->size;
}

/* Returns true if the block can be the binary's at its entry point. */
static bool is_entry_of(const struct tr_match_index *index, const struct tr_block *block,
			uint32_t b)
{
	const struct tr_match_binary *binary = &index->binaries[b];
	const struct tr_candidate candidate = {
	    .bias = block->pc - tr_image_entry(binary->image), .binary = b};
	for (size_t i = 0; i < tr_image_code_count(binary->image); i++) {
		const struct run run = {.code = *tr_image_code(binary->image, i)};
		if (tr_image_entry(binary->image) - run.code.address < run.code.size &&
		    !floats(binary) && !bias_allowed(binary, &run, candidate.bias))
			return false;
	}
	return tr_match_verify(index, block, &candidate);
}

bool tr_match_is_entry(const struct tr_match_index *index, const struct tr_block *block)
{
	unsigned offset = (unsigned)(block->pc % PAGE / 2);
	for (uint32_t i = index->first_entry[offset]; i < index->first_entry[offset + 1];
	     i++)
		if (is_entry_of(index, block, index->entries[i]))
			return true;
	return false;
}
