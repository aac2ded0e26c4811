/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the accesses of rows that are added one by one. */
#include <stdlib.h>
#include <string.h>

#include "stream/accesses.h"
#include "stream/writer_state.h"

int tr_writer_addresses(struct tr_writer *w, uint32_t number,
			const struct tr_accessed *addresses, unsigned count)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (hart->draft.block.tokens)
		tr_writer_end_block(w, hart, NULL);
	struct writer_addresses *a = &hart->addresses;
	if (!tr_grow(&a->list, &a->room, a->count + count, sizeof(*a->list)) ||
	    !tr_grow(&a->rows, &a->row_room, a->nrows + 1UL, sizeof(*a->rows)))
		return tr_writer_status(w, TR_E_NOMEM);
	memcpy(&a->list[a->count], addresses, count * sizeof(*addresses));
	a->rows[a->nrows++] =
	    (struct writer_addressed){hart->head.nrows, (uint32_t)a->count, count};
	a->count += count;
	return w->status;
}

static const struct tr_accessed *give_addresses(void *user, uint32_t part, uint32_t row,
						unsigned count)
{
	struct tr_writer *w = user;
	struct writer_addresses *a = &w->harts[part]->addresses;
	if (a->next == a->nrows || a->rows[a->next].row != row ||
	    a->rows[a->next].count != count)
		return NULL;
	return &a->list[a->rows[a->next++].first];
}

/* Makes the rows of a hart as a frame has them. Returns NULL when out of memory. */
static struct tr_row *make_rows(const struct writer_hart *hart)
{
	struct tr_row *rows = calloc(hart->head.nrows + 1UL, sizeof(*rows));
	for (uint32_t i = 0; rows && i < hart->head.nrows; i++)
		rows[i].block = hart->rows[i].block;
	return rows;
}

static int encode_addresses(struct tr_writer *w, struct tr_hart_frame *harts)
{
	const struct tr_frame frame = {
	    .generation = w->generation,
	    .harts = harts,
	    .nharts = w->nharts,
	    .view = {.blocks = w->dictionary.blocks,
		     .nblocks = (uint32_t)w->dictionary.nblocks}};
	int status = TR_OK;
	if (!w->accesses)
		w->accesses = tr_accesses_new();
	for (uint32_t i = 0; i < w->nharts; i++) {
		harts[i] = (struct tr_hart_frame){.rows = make_rows(w->harts[i]),
						  .nrows = w->harts[i]->head.nrows};
		if (!harts[i].rows)
			status = TR_E_NOMEM;
	}
	if (!status && w->accesses)
		status =
		    tr_accesses_encode(w->accesses, &frame, give_addresses, w, &w->chunk);
	for (uint32_t i = 0; i < w->nharts; i++) {
		const struct writer_addresses *a = &w->harts[i]->addresses;
		if (!status && a->next != a->nrows)
			status = TR_E_ARGUMENT;
		free((void *)harts[i].rows);
	}
	return w->accesses ? status : TR_E_NOMEM;
}

void tr_writer_put_addresses(struct tr_writer *w)
{
	struct tr_hart_frame harts[TR_MAX_HARTS];
	bool any = false;
	for (uint32_t i = 0; i < w->nharts; i++)
		any |= w->harts[i]->addresses.nrows != 0;
	if (any)
		tr_writer_status(w, encode_addresses(w, harts));
	for (uint32_t i = 0; i < w->nharts; i++) {
		struct writer_addresses *a = &w->harts[i]->addresses;
		a->count = a->nrows = a->next = 0;
	}
}

void tr_writer_free_addresses(struct tr_writer *w)
{
	for (uint32_t i = 0; i < w->nharts; i++) {
		free(w->harts[i]->addresses.list);
		free(w->harts[i]->addresses.rows);
	}
	tr_accesses_free(w->accesses);
}
