/* SPDX-License-Identifier: Apache-2.0 */
/* Reads sums of rows of stacks, as a frame that stands for many. */
#include "stream/reader_sums.h"

#include <string.h>

#include "stream/stacks_index.h"

enum { MAX_ROWS = 8 << 20 }; /* of a hart */

static int report_bad_sums(struct tr_reader *r)
{
	return tr_reader_fail(r, TR_E_CORRUPT, "damaged sums in the index");
}

bool tr_reader_load_sums(const struct tr_reader *r, const struct reader_sums *sums,
			 struct tr_buffer *out)
{
	const uint64_t whole = tr_chunk_reader_size(r->chunks);
	struct tr_buffer packed = {0};
	bool is_good =
	    sums->size <= UINT32_MAX && sums->offset <= whole &&
	    sums->size <= whole - sums->offset && sums->size > TR_INDEX_SKIPPABLE &&
	    tr_chunk_reader_tail(r->chunks, sums->size, whole - sums->offset - sums->size,
				 &packed) == TR_OK;
	out->size = 0;
	is_good = is_good &&
		  tr_index_unpack(packed.data + TR_INDEX_SKIPPABLE,
				  packed.size - TR_INDEX_SKIPPABLE, TR_SUMS_MAX, out);
	tr_buffer_free(&packed);
	return is_good;
}

/* Takes the columns of a hart. Returns the number of its rows. */
static uint32_t take_sums_columns(struct tr_bytes *in,
				  struct tr_bytes columns[TR_SUMS_COLUMNS])
{
	const uint32_t rows = (uint32_t)tr_varint_below(in, MAX_ROWS + 1);
	for (unsigned i = 0; i < TR_SUMS_COLUMNS && rows; i++) {
		const uint64_t size = tr_varint(in);
		const uint8_t *at = tr_bytes_take(in, size);
		columns[i] = (struct tr_bytes){.at = at, .end = in->bad ? at : at + size};
	}
	return in->bad ? 0 : rows;
}

static void take_sum(struct tr_bytes columns[TR_SUMS_COLUMNS], struct tr_srow *row)
{
	row->instructions = tr_varint_below(&columns[TR_SUMS_INSTRUCTIONS], INT64_MAX);
	row->cycles =
	    row->instructions + tr_unzigzag(tr_varint(&columns[TR_SUMS_CYCLES]));
}

bool tr_reader_check_sums(const struct tr_buffer *bytes, const struct reader_span *span)
{
	struct tr_bytes columns[TR_SUMS_COLUMNS],
	    in = {.at = bytes->data, .end = bytes->data + bytes->size};
	uint64_t instructions = 0;
	bool is_good = tr_varint(&in) == span->nharts;
	for (uint32_t h = 0; h < span->nharts && is_good; h++) {
		const uint32_t rows = take_sums_columns(&in, columns);
		uint64_t cycle = span->start[h];
		for (uint32_t i = 0; i < rows && is_good; i++) {
			struct tr_srow row;
			take_sum(columns, &row);
			is_good = !columns[TR_SUMS_INSTRUCTIONS].bad &&
				  !columns[TR_SUMS_CYCLES].bad &&
				  row.cycles <= span->end[h] - cycle &&
				  row.instructions <= span->instructions - instructions;
			cycle += row.cycles;
			instructions += row.instructions;
		}
		is_good = is_good && cycle == span->end[h];
	}
	return is_good && !in.bad && in.at == in.end &&
	       instructions == span->instructions;
}

static int take_sum_contexts(struct tr_reader *r, struct tr_bytes *in, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	struct tr_shart *hart = &s->harts[h];
	uint32_t row = 0;
	for (; in->at != in->end; hart->ncontexts++) {
		if (!tr_grow(&s->contexts[h], &s->context_room[h], hart->ncontexts + 1UL,
			     sizeof(*s->contexts[h])))
			return tr_reader_fail(r, TR_E_NOMEM, "out of memory");
		const uint32_t rows =
		    (uint32_t)tr_varint_below(in, hart->nrows - row + 1ULL);
		const uint64_t who =
		    tr_varint_below(in, UINT64_C(1) << SCONTEXT_TRIGGERS);
		if (in->bad || !rows)
			return report_bad_sums(r);
		s->contexts[h][hart->ncontexts] =
		    (struct tr_scontext){.first_row = row,
					 .process = (uint32_t)(who >> SCONTEXT_PROCESS),
					 .priv = who & ((1U << SCONTEXT_PROCESS) - 1)};
		row += rows;
	}
	hart->contexts = s->contexts[h];
	return hart->ncontexts && row != hart->nrows ? report_bad_sums(r) : TR_OK;
}

/* Takes the rows of a hart. Returns a status. */
static int take_sum_rows(struct tr_reader *r, struct tr_bytes *columns, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	const bool has_classes =
	    columns[TR_SUMS_CLASSES].at != columns[TR_SUMS_CLASSES].end;
	uint64_t node = 0, run = 0;
	uint32_t thread = 0;
	size_t used = 0;
	int status = TR_OK;
	for (uint32_t i = 0; i < s->harts[h].nrows && !status; i++, run--) {
		struct tr_srow *row = &s->rows[h][i];
		if (!run) {
			run = tr_varint(&columns[TR_SUMS_THREADS]);
			thread = (uint32_t)tr_varint_below(&columns[TR_SUMS_THREADS],
							   s->nthreads);
		}
		node += tr_unzigzag(tr_varint(&columns[TR_SUMS_NODES]));
		if (!run || !node || node >= s->nnodes)
			return report_bad_sums(r);
		*row = (struct tr_srow){.node = (uint32_t)node, .thread = thread};
		take_sum(columns, row);
		if (has_classes)
			status = tr_reader_take_classes(
			    r, &columns[TR_SUMS_CLASSES], h, row, &used,
			    r->commit_width == 1 ? row->cycles : INT64_MAX);
	}
	s->harts[h].classes = s->classes[h];
	for (unsigned i = TR_SUMS_THREADS; i < TR_SUMS_COLUMNS && !status; i++)
		if (columns[i].bad || columns[i].at != columns[i].end)
			status = report_bad_sums(r);
	return status || !run ? status : report_bad_sums(r);
}

int tr_reader_take_sums(struct tr_reader *r, const struct tr_buffer *bytes,
			const struct reader_span *span)
{
	struct reader_stacks *s = &r->stacks;
	struct tr_bytes columns[TR_SUMS_COLUMNS],
	    in = {.at = bytes->data, .end = bytes->data + bytes->size};
	int status = TR_OK;
	s->frame = (struct tr_sframe){
	    .number = span->frame, .harts = s->harts, .nharts = span->nharts};
	tr_varint(&in);
	for (uint32_t h = 0; h < span->nharts && !status; h++) {
		struct tr_shart *hart = &s->harts[h];
		const uint32_t rows = take_sums_columns(&in, columns);
		*hart = (struct tr_shart){
		    .start_cycle = span->start[h], .nrows = rows, .hart = span->hart[h]};
		if (!tr_grow(&s->rows[h], &s->row_room[h], rows + 1UL,
			     sizeof(*s->rows[h])))
			return tr_reader_fail(r, TR_E_NOMEM, "out of memory");
		hart->rows = s->rows[h];
		if (!rows)
			continue;
		status = take_sum_contexts(r, &columns[TR_SUMS_CONTEXTS], h);
		if (!status)
			status = take_sum_rows(r, columns, h);
	}
	return status;
}
