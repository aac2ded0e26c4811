/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes and decodes the addresses of a frame's accesses.
 *
 * Most addresses follow from the code (access_shape.h). Of a leader, only the difference
 * to what is predicted is stored: by the sp that the row begins with, or else by the
 * last addresses of the same instruction. */
#include "stream/accesses.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/varint.h"
#include "stream/access_shape.h"
#include "stream/codec.h"

enum { RUNS, CODES, RESIDUALS, PAGES }; /* columns */
enum {
	PREDICTIONS = 1 << 16,
	KEPT_SHAPES = 1 << 21, /* beyond, those of all blocks are found again */
	NOT_KNOWN = UINT16_MAX,
	PAGE_BITS = 12,
	RECENT = 256,
};
#define PAGE_MASK (~(UINT64_C(1) << PAGE_BITS) + 1)

/* The last addresses of an instruction. A stride counts when it has occurred twice. */
struct prediction {
	uint64_t last, stride, candidate;
};

/* What a block has: accesses from `first` in `kept` on. */
struct block_shape {
	int64_t sp_offset;
	uint32_t first;
	uint16_t count; /* NOT_KNOWN */
	uint8_t sp_base, sp_leader;
};

/* A page that was accessed: its physical page, and 1 in bit 0 if that is of a device. */
struct recent_page {
	uint64_t number;
	uint32_t index; /* in `pages` */
	bool known;
};

struct tr_accesses {
	/* Of the blocks of a generation */
	struct block_shape *blocks;
	size_t nblocks, block_room;
	struct tr_access_shape *kept;
	size_t nkept, kept_room;
	uint64_t generation;
	struct tr_access_shapes found;

	/* Of a frame, or a hart's part of it */
	struct prediction *predictions;
	uint64_t sp;
	struct tr_map page_ids; /* by number of the virtual page */
	uint64_t *pages;
	size_t npages, page_room;
	struct recent_page recent[RECENT];
	uint64_t page_offset;			 /* of the last definition */
	uint64_t since;				 /* accesses since the last definition */
	uint64_t addresses[TR_BLOCK_MAX_TOKENS]; /* of the row */

	/* What was decoded */
	struct tr_access *accesses;
	size_t naccesses, access_room;
	uint32_t *first; /* by row of all parts: its first access */
	size_t nrows, row_room;
	uint32_t first_row[TR_MAX_HARTS]; /* by part: index in `first` */
	struct tr_accesses_sum sum;
};

struct tr_accesses *tr_accesses_new(void)
{
	struct tr_accesses *a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->generation = UINT64_MAX;
	a->predictions = malloc(PREDICTIONS * sizeof(*a->predictions));
	if (a->predictions)
		return a;
	free(a);
	return NULL;
}

void tr_accesses_free(struct tr_accesses *a)
{
	if (!a)
		return;
	tr_map_free(&a->page_ids);
	free(a->pages);
	free(a->blocks);
	free(a->kept);
	free(a->predictions);
	free(a->accesses);
	free(a->first);
	free(a);
}

unsigned tr_accesses_of_block(const struct tr_block *block, unsigned token)
{
	struct tr_access_shapes shapes;
	unsigned count = 0;
	tr_access_shape(block, &shapes);
	for (unsigned i = 0; i < shapes.count; i++)
		count += shapes.access[i].token >= token;
	return count;
}

/* ------------------------------------------------------------ blocks */

/* Makes room for the blocks of a frame. Returns a status. */
static int begin_blocks(struct tr_accesses *a, const struct tr_frame *frame)
{
	if (a->generation != frame->generation || a->nkept > KEPT_SHAPES)
		a->nblocks = a->nkept = 0;
	a->generation = frame->generation;
	if (!tr_grow(&a->blocks, &a->block_room, frame->view.nblocks + 1UL,
		     sizeof(*a->blocks)))
		return TR_E_NOMEM;
	for (; a->nblocks < frame->view.nblocks; a->nblocks++)
		a->blocks[a->nblocks].count = NOT_KNOWN;
	return TR_OK;
}

/* Finds the accesses of a block. Returns a status. */
static int add_block_shape(struct tr_accesses *a, const struct tr_frame *frame,
			   uint32_t id)
{
	struct tr_access_shapes *found = &a->found;
	tr_access_shape(&frame->view.blocks[id], found);
	if (!tr_grow(&a->kept, &a->kept_room, a->nkept + found->count + 1,
		     sizeof(*a->kept)))
		return TR_E_NOMEM;
	a->blocks[id] = (struct block_shape){.first = (uint32_t)a->nkept,
					     .count = found->count,
					     .sp_base = found->sp_base,
					     .sp_leader = found->sp_leader,
					     .sp_offset = found->sp_offset};
	memcpy(&a->kept[a->nkept], found->access, found->count * sizeof(*a->kept));
	a->nkept += found->count;
	return TR_OK;
}

static inline int find_block_shape(struct tr_accesses *a, const struct tr_frame *frame,
				   uint32_t id, const struct block_shape **shape)
{
	*shape = &a->blocks[id];
	return a->blocks[id].count == NOT_KNOWN ? add_block_shape(a, frame, id) : TR_OK;
}

/* ------------------------------------------------------------ predictions */

static void begin_frame_state(struct tr_accesses *a)
{
	memset(a->predictions, 0, PREDICTIONS * sizeof(*a->predictions));
}

static void begin_part_state(struct tr_accesses *a)
{
	a->sp = 0;
	tr_map_clear(&a->page_ids);
	a->npages = 0;
	memset(a->recent, 0, sizeof(a->recent));
	a->page_offset = a->since = 0;
}

static struct prediction *prediction_at(struct tr_accesses *a, uint64_t pc)
{
	return &a->predictions[pc >> 1 & (PREDICTIONS - 1)];
}

static void learn_address(struct prediction *p, uint64_t address)
{
	const uint64_t stride = address - p->last;
	if (stride == p->candidate)
		p->stride = stride;
	p->candidate = stride;
	p->last = address;
}

/* Returns the address of an access that is no leader. */
static uint64_t follow_address(const struct tr_accesses *a,
			       const struct tr_access_shape *shape)
{
	const uint64_t from =
	    shape->base == TR_BASE_ACCESS ? a->addresses[shape->leader] : 0;
	return from + (uint64_t)shape->offset;
}

/* sp behind a row; `known` are its addresses. */
static void pass_sp(struct tr_accesses *a, const struct block_shape *shape, bool known)
{
	const uint64_t offset = (uint64_t)shape->sp_offset;
	if (shape->sp_base == TR_BASE_SP)
		a->sp += offset;
	else if (shape->sp_base == TR_BASE_NONE)
		a->sp = offset;
	else if (shape->sp_base == TR_BASE_ACCESS && known)
		a->sp = a->addresses[shape->sp_leader] + offset;
}

/* Returns the physical page of an address, as far as it was defined: otherwise that of
 * the same address. NULL when out of memory. */
static uint64_t *page_of(struct tr_accesses *a, uint64_t address)
{
	const uint64_t number = address >> PAGE_BITS;
	struct recent_page *recent = &a->recent[number % RECENT];
	if (recent->known && recent->number == number)
		return &a->pages[recent->index];
	uint32_t index = tr_map_get(&a->page_ids, number);
	if (index == TR_MAP_NONE) {
		index = (uint32_t)a->npages;
		if (!tr_grow(&a->pages, &a->page_room, a->npages + 1,
			     sizeof(*a->pages)) ||
		    !tr_map_set(&a->page_ids, number, index))
			return NULL;
		a->pages[a->npages++] = address & PAGE_MASK;
	}
	*recent = (struct recent_page){number, index, true};
	return &a->pages[index];
}

/* ------------------------------------------------------------ encoding */

/* A run of rows with or without addresses. */
struct run_count {
	bool known;
	uint64_t rows;
};

static void put_residual(struct tr_buffer *columns, uint64_t difference)
{
	uint64_t value = tr_zigzag(difference);
	uint8_t bytes[8], count = 0;
	for (; value; value >>= 8)
		bytes[count++] = (uint8_t)value;
	tr_buffer_add(&columns[CODES], &count, 1);
	tr_buffer_add(&columns[RESIDUALS], bytes, count);
}

static void put_leader(struct tr_accesses *a, const struct tr_access_shape *shape,
		       uint64_t pc, uint64_t address, struct tr_buffer *columns)
{
	if (shape->base == TR_BASE_SP) {
		const uint64_t offset = (uint64_t)shape->offset;
		put_residual(columns, address - (a->sp + offset));
		a->sp = address - offset;
		return;
	}
	struct prediction *p = prediction_at(a, pc + shape->pc);
	put_residual(columns, address - (p->last + p->stride));
	learn_address(p, address);
}

static int put_page(struct tr_accesses *a, const struct tr_accessed *accessed,
		    struct tr_buffer *columns)
{
	uint64_t *page = page_of(a, accessed->address);
	if (!page)
		return TR_E_NOMEM;
	if (*page != accessed->page) {
		const uint64_t offset =
		    (accessed->page >> PAGE_BITS) - (accessed->address >> PAGE_BITS);
		tr_buffer_varint(&columns[PAGES], a->since);
		tr_buffer_varint(&columns[PAGES], tr_zigzag(offset - a->page_offset)
							  << 1 |
						      (accessed->page & 1));
		a->page_offset = offset;
		a->since = 0;
		*page = accessed->page;
	}
	a->since++;
	return TR_OK;
}

static int put_row(struct tr_accesses *a, const struct block_shape *shape, uint64_t pc,
		   const struct tr_accessed *accessed, struct tr_buffer *columns)
{
	for (unsigned i = 0; i < shape->count; i++) {
		const struct tr_access_shape *access = &a->kept[shape->first + i];
		const uint64_t address = accessed[i].address;
		a->addresses[i] = address;
		if (access->base == TR_BASE_ANY || access->base == TR_BASE_SP)
			put_leader(a, access, pc, address, columns);
		else if (follow_address(a, access) != address)
			return TR_E_ARGUMENT;
		int status = put_page(a, &accessed[i], columns);
		if (status)
			return status;
	}
	a->naccesses += shape->count;
	return a->naccesses > TR_ACCESSES_MAX ? TR_E_ARGUMENT : TR_OK;
}

static void count_run_row(struct run_count *run, bool known, struct tr_buffer *columns)
{
	if (known != run->known) {
		tr_buffer_varint(&columns[RUNS], run->rows);
		*run = (struct run_count){.known = known};
	}
	run->rows++;
}

static int encode_part(struct tr_accesses *a, const struct tr_frame *frame, uint32_t part,
		       tr_accesses_of_row *addresses, void *user,
		       struct tr_buffer *columns)
{
	const struct tr_hart_frame *hart = &frame->harts[part];
	struct run_count run = {.known = true};
	begin_part_state(a);
	for (uint32_t row = 0; row < hart->nrows; row++) {
		const uint32_t id = hart->rows[row].block;
		const struct block_shape *shape;
		int status = find_block_shape(a, frame, id, &shape);
		if (status)
			return status;
		const struct tr_accessed *accessed =
		    shape->count ? addresses(user, part, row, shape->count) : NULL;
		count_run_row(&run, shape->count ? accessed != NULL : run.known, columns);
		if (accessed)
			status = put_row(a, shape, frame->view.blocks[id].pc, accessed,
					 columns);
		if (status)
			return status;
		pass_sp(a, shape, accessed != NULL);
	}
	tr_buffer_varint(&columns[RUNS], run.rows);
	return TR_OK;
}

int tr_accesses_encode(struct tr_accesses *a, const struct tr_frame *frame,
		       tr_accesses_of_row *addresses, void *user, struct tr_buffer *out)
{
	struct tr_buffer columns[TR_ACCESS_COLUMNS] = {{0}}, body = {0};
	const size_t before = out->size;
	int status = begin_blocks(a, frame);
	begin_frame_state(a);
	a->naccesses = 0;
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		if (!frame->harts[i].nrows)
			continue;
		tr_columns_clear(columns, TR_ACCESS_COLUMNS);
		body.size = 0;
		status = encode_part(a, frame, i, addresses, user, columns);
		for (unsigned k = 0; k < TR_ACCESS_COLUMNS; k++)
			tr_buffer_body(&body, &columns[k]);
		tr_encode_section(out, TR_SECTION_ACCESSES, &body);
	}
	if (!a->naccesses)
		out->size = before;
	tr_columns_free(columns, TR_ACCESS_COLUMNS);
	tr_buffer_free(&body);
	if (!status && out->failed)
		status = TR_E_NOMEM;
	return status;
}

/* ------------------------------------------------------------ decoding */

/* What is left of a hart's columns, and the next definition of a page. */
struct part_reader {
	struct tr_bytes columns[TR_ACCESS_COLUMNS];
	struct run_count run;
	bool has_page;
	uint64_t page_in; /* accesses before it */
	uint64_t page;
};

static void read_page(struct part_reader *in)
{
	struct tr_bytes *column = &in->columns[PAGES];
	in->has_page = column->at != column->end;
	if (!in->has_page)
		return;
	in->page_in = tr_varint(column);
	in->page = tr_varint(column);
}

static bool read_residual(struct part_reader *in, uint64_t *difference)
{
	const uint8_t *code = tr_bytes_take(&in->columns[CODES], 1);
	if (!code || *code > 8)
		return false;
	const uint8_t *bytes = tr_bytes_take(&in->columns[RESIDUALS], *code);
	uint64_t value = 0;
	if (!bytes)
		return false;
	for (unsigned i = 0; i < *code; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	*difference = tr_unzigzag(value);
	return true;
}

static bool read_leader(struct tr_accesses *a, const struct tr_access_shape *shape,
			uint64_t pc, struct part_reader *in, uint64_t *address)
{
	uint64_t difference;
	if (!read_residual(in, &difference))
		return false;
	if (shape->base == TR_BASE_SP) {
		a->sp += difference;
		*address = a->sp + (uint64_t)shape->offset;
		return true;
	}
	struct prediction *p = prediction_at(a, pc + shape->pc);
	*address = p->last + p->stride + difference;
	learn_address(p, *address);
	return true;
}

/* Gets the physical page of the next access. Returns a status. */
static int take_page(struct tr_accesses *a, struct part_reader *in, uint64_t address,
		     uint64_t *taken)
{
	uint64_t *page = page_of(a, address);
	if (!page)
		return TR_E_NOMEM;
	if (in->has_page && in->page_in == a->since) {
		a->page_offset += tr_unzigzag(in->page >> 1);
		*page = ((address >> PAGE_BITS) + a->page_offset) << PAGE_BITS |
			(in->page & 1);
		a->since = 0;
		read_page(in);
	}
	a->since++;
	*taken = *page;
	return TR_OK;
}

static int take_row(struct tr_accesses *a, const struct block_shape *shape, uint64_t pc,
		    struct part_reader *in)
{
	if (a->naccesses + shape->count > TR_ACCESSES_MAX)
		return TR_E_CORRUPT;
	if (!tr_grow(&a->accesses, &a->access_room, a->naccesses + shape->count + 1,
		     sizeof(*a->accesses)))
		return TR_E_NOMEM;
	for (unsigned i = 0; i < shape->count; i++) {
		const struct tr_access_shape *access = &a->kept[shape->first + i];
		struct tr_access *out = &a->accesses[a->naccesses++];
		uint64_t address, page;
		if (access->base == TR_BASE_ANY || access->base == TR_BASE_SP) {
			if (!read_leader(a, access, pc, in, &address))
				return TR_E_CORRUPT;
		} else {
			address = follow_address(a, access);
		}
		a->addresses[i] = address;
		int status = take_page(a, in, address, &page);
		if (status)
			return status;
		*out = (struct tr_access){
		    .address = address,
		    .physical = (page & PAGE_MASK) | (address & ~PAGE_MASK),
		    .token = access->token,
		    .size = access->size,
		    .kind = (uint8_t)(access->kind | (page & 1 ? TR_ACCESS_DEVICE : 0))};
	}
	a->sum.known += shape->count;
	return TR_OK;
}

/* Returns true if the next row has addresses; sets *bad if there is no next run. */
static bool take_run_row(struct part_reader *in, bool *bad)
{
	while (!in->run.rows && in->columns[RUNS].at != in->columns[RUNS].end)
		in->run = (struct run_count){
		    .known = !in->run.known,
		    .rows = tr_varint_below(&in->columns[RUNS], UINT32_MAX)};
	*bad = !in->run.rows;
	in->run.rows -= !*bad;
	return in->run.known;
}

static int decode_part(struct tr_accesses *a, const struct tr_frame *frame, uint32_t part,
		       struct tr_bytes *body)
{
	const struct tr_hart_frame *hart = &frame->harts[part];
	struct part_reader in = {.run.known = false};
	bool bad = body && !tr_decode_columns(body, in.columns, TR_ACCESS_COLUMNS);
	begin_part_state(a);
	if (body && !bad)
		read_page(&in);
	for (uint32_t row = 0; row < hart->nrows && !bad; row++) {
		const uint32_t id = hart->rows[row].block;
		const struct block_shape *shape;
		const bool known = body && take_run_row(&in, &bad);
		int status = find_block_shape(a, frame, id, &shape);
		a->first[a->nrows++] = (uint32_t)a->naccesses;
		if (known && !bad && !status)
			status = take_row(a, shape, frame->view.blocks[id].pc, &in);
		if (status)
			return status;
		a->sum.unknown += known ? 0 : shape->count;
		pass_sp(a, shape, known);
	}
	bad |= in.run.rows || in.has_page ||
	       (body && !tr_columns_done(in.columns, TR_ACCESS_COLUMNS));
	return bad ? TR_E_CORRUPT : TR_OK;
}

/* Finds the sections. Returns false if there are more or fewer than harts with rows, and
 * not none. */
static bool find_sections(const struct tr_frame *frame,
			  struct tr_bytes bodies[TR_MAX_HARTS], uint32_t *count)
{
	struct tr_bytes in = {.at = frame->payload.data,
			      .end = frame->payload.data + frame->payload.size},
			body;
	struct tr_frame_head head;
	uint32_t wanted = 0;
	unsigned kind;
	bool must;
	*count = 0;
	tr_decode_frame_head(&in, &head);
	for (uint32_t i = 0; i < frame->nharts; i++)
		wanted += frame->harts[i].nrows != 0;
	while (tr_decode_section(&in, &kind, &must, &body)) {
		if (kind != TR_SECTION_ACCESSES)
			continue;
		if (*count == wanted)
			return false;
		bodies[(*count)++] = body;
	}
	return !in.bad && (*count == 0 || *count == wanted);
}

int tr_accesses_frame(struct tr_accesses *a, const struct tr_frame *frame)
{
	struct tr_bytes bodies[TR_MAX_HARTS];
	uint32_t count, next = 0;
	size_t rows = 0;
	int status = begin_blocks(a, frame);
	a->naccesses = a->nrows = 0;
	a->sum = (struct tr_accesses_sum){0};
	if (!find_sections(frame, bodies, &count))
		return TR_E_CORRUPT;
	for (uint32_t i = 0; i < frame->nharts; i++)
		rows += frame->harts[i].nrows;
	if (!tr_grow(&a->first, &a->row_room, rows + 1, sizeof(*a->first)))
		return TR_E_NOMEM;
	begin_frame_state(a);
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		a->first_row[i] = (uint32_t)a->nrows;
		if (frame->harts[i].nrows)
			status = decode_part(a, frame, i, count ? &bodies[next++] : NULL);
	}
	a->first[a->nrows] = (uint32_t)a->naccesses;
	return status;
}

const struct tr_access *tr_accesses_row(const struct tr_accesses *a, uint32_t part,
					uint32_t row, unsigned *count)
{
	const uint32_t *first = &a->first[a->first_row[part] + row];
	*count = first[1] - first[0];
	return &a->accesses[first[0]];
}

struct tr_accesses_sum tr_accesses_sum(const struct tr_accesses *a)
{
	return a->sum;
}
