/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the addresses of a frame's accesses. */
#include "base/varint.h"
#include "stream/accesses_state.h"

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
	struct prediction *p = accesses_prediction(a, pc + shape->pc);
	*address = p->last + p->stride + difference;
	accesses_learn(p, *address);
	return true;
}

/* Gets the physical page of the next access. Returns a status. */
static int take_page(struct tr_accesses *a, struct part_reader *in, uint64_t address,
		     uint64_t *taken)
{
	uint64_t *page = tr_accesses_page(a, address);
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
			address = accesses_follow(a, access);
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
	tr_accesses_begin_part(a);
	if (body && !bad)
		read_page(&in);
	for (uint32_t row = 0; row < hart->nrows && !bad; row++) {
		const uint32_t id = hart->rows[row].block;
		const struct block_shape *shape;
		const bool known = body && take_run_row(&in, &bad);
		int status = accesses_find_shape(a, frame, id, &shape);
		a->first[a->nrows++] = (uint32_t)a->naccesses;
		if (known && !bad && !status)
			status = take_row(a, shape, frame->view.blocks[id].pc, &in);
		if (status)
			return status;
		a->sum.unknown += known ? 0 : shape->count;
		accesses_pass_sp(a, shape, known);
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
	int status = tr_accesses_begin_blocks(a, frame);
	a->naccesses = a->nrows = 0;
	a->sum = (struct tr_accesses_sum){0};
	if (!find_sections(frame, bodies, &count))
		return TR_E_CORRUPT;
	for (uint32_t i = 0; i < frame->nharts; i++)
		rows += frame->harts[i].nrows;
	if (!tr_grow(&a->first, &a->row_room, rows + 1, sizeof(*a->first)) ||
	    !tr_grow(&a->accesses, &a->access_room, 1, sizeof(*a->accesses)))
		return TR_E_NOMEM;
	tr_accesses_begin_frame(a);
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
