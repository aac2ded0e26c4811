/* SPDX-License-Identifier: Apache-2.0 */
/* Writes slices by function: each has its listing, and the sums of its instructions in
 * each slice, in a zstd frame of its own. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "annotate/slices_state.h"
#include "base/varint.h"

enum {
	PACKED_LEVEL = 3,
	WORD = 64, /* bits of struct writer.has_run */
};

struct writer {
	const struct tr_listing_parts *parts;
	const struct tr_slices *slices;
	const struct tr_slices_contexts *contexts; /* NULL: there is only context 0 */
	uint64_t *executions;			   /* of each lane */
	uint32_t *place; /* of each instruction, by its number */
	/* Of the list that is taken: executions by number of the instruction, and a bit
	 * for those that have any; sums of what stalled. */
	uint64_t *runs, *has_run;
	struct tr_sums stalls;
	struct tr_buffer *sums; /* of each function */
	bool *has_twin;		/* another one has its name, binary and address */
	uint64_t list;		/* that is taken: lane * TR_SLICES + slice */
};

/* ------------------------------------------------------------ sums */

/* Puts the sum of an instruction to its function: list, place in the function,
 * executions, cycles, traps, and classes that lost slots. Returns a status. */
static int put_sum(struct writer *w, const struct tr_sum *sum, const uint64_t *lost)
{
	const struct tr_counts *counts = w->parts->counts;
	const uint32_t place = w->place[sum->key];
	const uint32_t func = counts->insns[place].func;
	struct tr_buffer *to = &w->sums[func];
	unsigned used = 0;
	for (unsigned c = 0; c < w->slices->columns; c++)
		used += lost[c] != 0;
	w->executions[w->list / TR_SLICES] += sum->instructions;
	tr_buffer_varint(to, w->list);
	tr_buffer_varint(to, place - tr_counts_first(counts, func));
	tr_buffer_varint(to, sum->instructions);
	tr_buffer_varint(to, sum->cycles);
	tr_buffer_varint(to, sum->calls);
	tr_buffer_varint(to, used);
	for (unsigned c = 0; c < w->slices->columns; c++)
		if (lost[c]) {
			tr_buffer_varint(to, c);
			tr_buffer_varint(to, lost[c]);
		}
	return to->failed ? TR_E_NOMEM : TR_OK;
}

static void set_bit(struct writer *w, uint32_t number)
{
	w->has_run[number / WORD] |= UINT64_C(1) << number % WORD;
}

/* Adds the executions of a piece to its instructions. */
static int take_piece(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	struct writer *w = context;
	const struct tr_counts *counts = w->parts->counts;
	const struct counted_piece *piece = &counts->pieces[sum->key];
	(void)lost;
	for (uint32_t i = 0; i < piece->count; i++) {
		const uint32_t number = counts->ids[piece->first + i];
		w->runs[number] += sum->instructions;
		set_bit(w, number);
	}
	return TR_OK;
}

/* Keeps the sum of what stalled at an instruction, and of its traps. */
static int take_stalls(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	struct writer *w = context;
	set_bit(w, sum->key);
	return tr_sums_append(&w->stalls, sum, lost);
}

/* Puts the sums of all instructions of the list that was taken. An execution that did not
 * stall has a cycle. Returns a status. */
static int put_list(struct writer *w)
{
	static const uint64_t nothing[TR_MAX_CLASSES + 1];
	const size_t words = w->parts->counts->ninsns / WORD + 1;
	size_t next = 0;
	int status = TR_OK;
	for (size_t word = 0; word < words; word++) {
		for (uint64_t bits = w->has_run[word]; bits && !status;
		     bits &= bits - 1) {
			struct tr_sum sum = {.key = (uint32_t)(word * WORD) +
						    (uint32_t)__builtin_ctzll(bits)};
			const uint64_t *lost = nothing;
			sum.instructions = sum.cycles = w->runs[sum.key];
			w->runs[sum.key] = 0;
			if (next < w->stalls.count &&
			    w->stalls.list[next].key == sum.key) {
				const struct tr_sum *stalls = &w->stalls.list[next];
				sum.cycles += stalls->cycles - stalls->instructions;
				sum.calls = stalls->calls;
				lost = w->stalls.lost + next++ * w->stalls.columns;
			}
			status = put_sum(w, &sum, lost);
		}
		w->has_run[word] = 0;
	}
	w->stalls.count = 0;
	return status;
}

static int sort_list(struct writer *w, const struct slices_list *list)
{
	int status = TR_OK;
	if (list->pieces.size)
		status = tr_sums_unpack(list->pieces.data, list->pieces.size, 0,
					UINT32_MAX, take_piece, w);
	if (!status && list->stalls.size)
		status = tr_sums_unpack(list->stalls.data, list->stalls.size,
					w->slices->columns, UINT32_MAX, take_stalls, w);
	return status ? status : put_list(w);
}

static int sort_sums(struct writer *w)
{
	const struct tr_counts *counts = w->parts->counts;
	int status = TR_OK;
	for (size_t i = 0; i < counts->ninsns; i++)
		w->place[counts->insns[i].number] = (uint32_t)i;
	for (size_t i = 0; i < w->slices->nlanes; i++) {
		const struct slices_lane *lane = w->slices->lanes[i];
		for (size_t k = 0; k < lane->nlists && !status; k++) {
			w->list = i * TR_SLICES + lane->lists[k].slice;
			status = sort_list(w, &lane->lists[k]);
		}
	}
	return status;
}

/* ------------------------------------------------------------ listings */

static void put_text(struct tr_buffer *to, const char *text)
{
	tr_buffer_sized(to, text, strlen(text));
}

/* Puts the source line of a row, and its inlined calls. */
static void put_place(const struct writer *w, struct tr_buffer *to,
		      const struct tr_listed *row)
{
	const char *text =
	    row->path ? tr_sources_line(w->parts->sources, row->path, row->line) : NULL;
	put_text(to, row->path ? tr_listing_file(row->path) : "");
	tr_buffer_varint(to, row->line);
	put_text(to, text ? text : "");
	tr_buffer_varint(to, row->ncalls);
	for (unsigned i = 0; i < row->ncalls; i++)
		put_text(to, row->calls[i]);
}

/* Puts the rows of a listing; those that were counted are in the order of the counts. */
static void put_rows(const struct writer *w, struct tr_buffer *to,
		     const struct tr_listing *listing)
{
	const struct tr_counts *counts = w->parts->counts;
	size_t next = tr_counts_first(counts, listing->number);
	const size_t end = tr_counts_first(counts, listing->number + 1);
	const struct tr_listed *before = NULL;
	uint64_t address = 0;
	tr_buffer_varint(to, end - next);
	tr_buffer_varint(to, listing->count);
	for (size_t i = 0; i < listing->count; i++) {
		const struct tr_listed *row = &listing->rows[i];
		const bool is_counted =
		    next < end && counts->insns[next].address == row->insn.address &&
		    counts->insns[next].binary == row->insn.binary;
		const bool is_same = before && tr_listed_same_place(before, row);
		const bool has_place = !is_same && (row->path || row->ncalls);
		next += is_counted;
		tr_buffer_varint(to, (is_counted ? SLICES_COUNTED : 0U) |
					 (is_same ? SLICES_SAME_PLACE : 0U) |
					 (has_place ? SLICES_HAS_PLACE : 0U) |
					 (row->insn.differs ? SLICES_DIFFERS : 0U) |
					 (row->is_far ? SLICES_FAR : 0U));
		tr_buffer_varint(to, tr_zigzag(row->insn.address - address));
		put_text(to, row->text);
		if (has_place)
			put_place(w, to, row);
		address = row->insn.address;
		before = row;
	}
}

static int put_packed(struct tr_buffer *to, const struct tr_buffer *plain)
{
	struct tr_buffer packed = {0};
	const size_t bound = ZSTD_compressBound(plain->size);
	uint8_t *room = plain->failed ? NULL : tr_buffer_grow(&packed, bound);
	const size_t size =
	    room ? ZSTD_compress(room, bound, plain->data, plain->size, PACKED_LEVEL) : 0;
	const bool is_packed = room && !ZSTD_isError(size);
	if (is_packed)
		tr_buffer_sized(to, room, size);
	tr_buffer_free(&packed);
	return is_packed && !to->failed ? TR_OK : TR_E_NOMEM;
}

static int put_function(const struct writer *w, uint32_t func, struct tr_buffer *to)
{
	const struct tr_counted_func *told = tr_counts_func(w->parts->counts, func);
	struct tr_listing listing;
	struct tr_buffer plain = {0};
	int status = tr_listing_make(&listing, w->parts, func);
	if (!status) {
		put_text(to, told->name);
		put_text(to, told->binary);
		tr_buffer_varint(to, told->address);
		put_rows(w, &plain, &listing);
		tr_buffer_add(&plain, w->sums[func].data, w->sums[func].size);
		status = put_packed(to, &plain);
	}
	tr_buffer_free(&plain);
	tr_listing_release(&listing);
	return status;
}

/* ------------------------------------------------------------ the file */

/* Of twins all are there, so that a reader can tell them by their order. */
static bool is_written(const struct writer *w, uint32_t func)
{
	return tr_counted_is_code(tr_counts_func(w->parts->counts, func)) &&
	       (w->sums[func].size || w->has_twin[func]);
}

static uint64_t hash_of(const struct tr_counted_func *func)
{
	const uint64_t name = XXH64(func->name, strlen(func->name), func->address);
	return XXH64(func->binary, strlen(func->binary), name);
}

/* Finds functions of code that have twins, by their hash: one too many does no harm.
 * Returns a status. */
static int find_twins(struct writer *w)
{
	const struct tr_counts *counts = w->parts->counts;
	struct tr_map first = {0};
	int status = TR_OK;
	for (uint32_t i = 0; i < tr_counts_funcs(counts) && !status; i++) {
		const struct tr_counted_func *func = tr_counts_func(counts, i);
		if (!tr_counted_is_code(func))
			continue;
		const uint64_t key = hash_of(func);
		const uint32_t twin = tr_map_get(&first, key);
		if (twin != TR_MAP_NONE)
			w->has_twin[i] = w->has_twin[twin] = true;
		else if (!tr_map_set(&first, key, i))
			status = TR_E_NOMEM;
	}
	tr_map_free(&first);
	return status;
}

/* Puts which process and thread a lane is of. */
static void put_lane(const struct writer *w, const struct slices_lane *lane,
		     uint64_t executions, struct tr_buffer *to)
{
	tr_buffer_varint(to, lane->hart);
	if (w->contexts) {
		const struct tr_slices_pair *pair = &w->contexts->pairs[lane->context];
		tr_buffer_varint(to, pair->process);
		tr_buffer_varint(to, pair->thread);
		tr_buffer_varint(to, executions);
	}
}

static void put_head(const struct writer *w, uint64_t instructions, uint64_t cycles,
		     struct tr_buffer *to)
{
	const struct tr_classes *classes = w->parts->classes;
	uint32_t functions = 0;
	tr_buffer_add(to, SLICES_MAGIC, SLICES_MAGIC_SIZE);
	tr_buffer_varint(to, instructions);
	tr_buffer_varint(to, cycles);
	tr_buffer_varint(to, w->slices->length);
	tr_buffer_varint(to, w->parts->width);
	tr_buffer_varint(to, w->slices->columns);
	for (unsigned c = 1; c < w->slices->columns; c++)
		put_text(to, classes->name[c]);
	tr_buffer_varint(to, w->contexts != NULL);
	tr_buffer_varint(to, w->slices->nlanes);
	for (size_t i = 0; i < w->slices->nlanes; i++)
		put_lane(w, w->slices->lanes[i], w->executions[i], to);
	for (uint32_t i = 0; i < tr_counts_funcs(w->parts->counts); i++)
		functions += is_written(w, i);
	tr_buffer_varint(to, functions);
}

static int put_all(const struct writer *w, uint64_t instructions, uint64_t cycles,
		   struct tr_buffer *to)
{
	int status = TR_OK;
	put_head(w, instructions, cycles, to);
	for (uint32_t i = 0; i < tr_counts_funcs(w->parts->counts) && !status; i++)
		if (is_written(w, i))
			status = put_function(w, i, to);
	tr_buffer_add64(to, XXH64(to->data, to->size, 0));
	return status ? status : to->failed ? TR_E_NOMEM : TR_OK;
}

int tr_slices_write(const struct tr_listing_parts *parts,
		    const struct tr_slices_contexts *contexts, uint64_t instructions,
		    uint64_t cycles, FILE *file)
{
	const struct tr_counts *counts = parts->counts;
	struct writer w = {.parts = parts,
			   .slices = counts->slices,
			   .contexts = contexts,
			   .stalls = {.columns = counts->slices->columns}};
	struct tr_buffer all = {0};
	w.place = calloc(counts->ninsns + 1, sizeof(*w.place));
	w.sums = calloc(counts->nfuncs + 1, sizeof(*w.sums));
	w.executions = calloc(counts->slices->nlanes + 1, sizeof(*w.executions));
	w.runs = calloc(counts->ninsns + 1, sizeof(*w.runs));
	w.has_run = calloc(counts->ninsns / WORD + 1, sizeof(*w.has_run));
	w.has_twin = calloc(counts->nfuncs + 1, sizeof(*w.has_twin));
	int status =
	    w.place && w.sums && w.executions && w.runs && w.has_run && w.has_twin
		? tr_slices_pack(counts->slices)
		: TR_E_NOMEM;
	if (!status)
		status = sort_sums(&w);
	if (!status)
		status = find_twins(&w);
	if (!status)
		status = put_all(&w, instructions, cycles, &all);
	if (!status)
		fwrite(all.data, 1, all.size, file);
	for (size_t i = 0; i < counts->nfuncs && w.sums; i++)
		tr_buffer_free(&w.sums[i]);
	tr_buffer_free(&all);
	tr_sums_release(&w.stalls);
	free(w.has_twin);
	free(w.sums);
	free(w.has_run);
	free(w.runs);
	free(w.place);
	free(w.executions);
	return status;
}
