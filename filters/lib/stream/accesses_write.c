/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes the addresses of a frame's accesses. */
#include "base/varint.h"
#include "stream/accesses_state.h"

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
	struct prediction *p = accesses_prediction(a, pc + shape->pc);
	put_residual(columns, address - (p->last + p->stride));
	accesses_learn(p, address);
}

static int put_page(struct tr_accesses *a, const struct tr_accessed *accessed,
		    struct tr_buffer *columns)
{
	uint64_t *page = tr_accesses_page(a, accessed->address);
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
		else if (accesses_follow(a, access) != address)
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
	tr_accesses_begin_part(a);
	for (uint32_t row = 0; row < hart->nrows; row++) {
		const uint32_t id = hart->rows[row].block;
		const struct block_shape *shape;
		int status = accesses_find_shape(a, frame, id, &shape);
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
		accesses_pass_sp(a, shape, accessed != NULL);
	}
	tr_buffer_varint(&columns[RUNS], run.rows);
	return TR_OK;
}

int tr_accesses_encode(struct tr_accesses *a, const struct tr_frame *frame,
		       tr_accesses_of_row *addresses, void *user, struct tr_buffer *out)
{
	struct tr_buffer columns[TR_ACCESS_COLUMNS] = {{0}}, body = {0};
	const size_t before = out->size;
	int status = tr_accesses_begin_blocks(a, frame);
	tr_accesses_begin_frame(a);
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
