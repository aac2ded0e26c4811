/* SPDX-License-Identifier: Apache-2.0 */
/* The two-level map from code to its possible sites. */
#include "match/match_index_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "match/match_anchors.h"
#include "match/match_stub_code.h"

/* Collects the code of binaries with a fixed address. */
static bool collect_runs(struct tr_match_index *index, uint64_t *halves)
{
	*halves = 0;
	for (uint32_t b = 0; b < index->nbinaries; b++) {
		const struct tr_image *image = index->binaries[b].image;
		size_t count = is_floating_binary(&index->binaries[b])
				   ? 0
				   : tr_image_code_count(image);
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

/* Returns true if the code of a binary may be on any page, or at any address. */
static bool may_move(const struct tr_match_index *index, uint32_t b, bool anywhere)
{
	const struct tr_match_binary *binary = &index->binaries[b];
	bool is_module = tr_image_is_module(binary->image);
	if (is_floating_binary(binary))
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

static unsigned half_page_offset(const struct run *run, uint64_t half)
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
			index->first[half_page_offset(&index->runs[r], h) + 1]++;
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
			index->sites[next[half_page_offset(run, h)]++] =
			    (struct site){insn_bits_at(run->code.data + h * 2, end),
					  run->first_half + (uint32_t)h};
	}
	for (unsigned i = 0; i < OFFSETS; i++)
		sort_sites(index->sites + index->first[i], scratch,
			   index->first[i + 1] - index->first[i]);
	free(scratch);
	return true;
}

/* Lists the binaries with stubs. Returns false when out of memory. */
static bool collect_stubbed(struct tr_match_index *index)
{
	index->stubbed = malloc((index->nbinaries + 1) * sizeof(*index->stubbed));
	for (uint32_t b = 0; index->stubbed && b < index->nbinaries; b++)
		if (index->binaries[b].stubs)
			index->stubbed[index->nstubbed++] = b;
	return index->stubbed;
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
	if (index->binaries && collect_stubbed(index) && collect_runs(index, &halves))
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
	free(index->stubbed);
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

/* Returns true if the block is the code of the file at `candidate`. */
static bool is_file_code(const struct tr_match_index *index, const struct tr_block *block,
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

bool tr_match_verify(const struct tr_match_index *index, const struct tr_block *block,
		     const struct tr_candidate *candidate)
{
	const struct tr_match_binary *binary = &index->binaries[candidate->binary];
	struct tr_stub_jump jump;
	bool begins;
	return is_file_code(index, block, candidate) ||
	       (binary->stubs &&
		(tr_stub_code_jump(binary, block, candidate->bias, &jump) ||
		 tr_stub_code_restored(binary, block, candidate->bias, &begins)));
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

bool tr_match_reaches(const struct tr_match_index *index, uint32_t binary, uint64_t pc)
{
	const struct tr_match_binary *b = &index->binaries[binary];
	if (!tr_image_code_count(b->image) || is_floating_binary(b))
		return false;
	return tr_image_bytes(b->image, b->has_base ? pc - base_bias(b) : pc, 2);
}

bool tr_match_is_in_overlays(const struct tr_match_index *index,
			     const struct tr_block *block, uint8_t priv)
{
	bool found = false;
	for (uint32_t b = 0; b < index->nbinaries && index->overlays; b++) {
		const struct tr_match_binary *binary = &index->binaries[b];
		if (!binary->overlays || is_floating_binary(binary) ||
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
	bool is_home = is_floating_binary(binary) ||
		       (may_relocate(binary) && place->bias % LARGE_PAGE == 0);
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

size_t tr_match_stubbed_count(const struct tr_match_index *index)
{
	return index->nstubbed;
}

uint32_t tr_match_stubbed(const struct tr_match_index *index, size_t nth)
{
	return index->stubbed[nth];
}

uint32_t tr_match_stub_bytes(const struct tr_match_index *index)
{
	uint32_t most = 0;
	for (size_t i = 0; i < index->nstubbed; i++) {
		const struct tr_match_binary *b = &index->binaries[index->stubbed[i]];
		const uint32_t size = tr_stub_files_plan(b->stubs, 0)->code_size;
		most = size > most ? size : most;
	}
	return most;
}

bool tr_match_may_run(const struct tr_match_index *index, uint32_t binary, uint8_t priv)
{
	const struct tr_match_binary *b = &index->binaries[binary];
	return tr_image_code_count(b->image) &&
	       (b->any_priv || role_allows(b->role, priv));
}

bool tr_match_floats(const struct tr_match_index *index, uint32_t binary)
{
	return is_floating_binary(&index->binaries[binary]);
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
		    !is_floating_binary(binary) &&
		    !bias_allowed(binary, &run, candidate.bias))
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
