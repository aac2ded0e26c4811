/* SPDX-License-Identifier: Apache-2.0 */
#include "addresses.h"

#include <stdlib.h>
#include <string.h>

#include "stream/accesses.h"

/* From here on the replay has followed the rows of a hart, up to the next such place, or
 * where it has no more addresses. */
struct begun {
	uint64_t row;
	uint64_t access; /* addresses of the hart before it */
	unsigned token;
};

/* Addresses of a hart that are not written: from `taken` on of `queue`. */
struct hart_addresses {
	struct tr_accessed *queue;
	size_t count, room, taken;
	uint64_t dropped; /* in front of the queue */
	struct begun *begun;
	size_t nbegun, begun_room, at;
};

struct addresses {
	struct replay *replay;
	struct addresses_choice choice;
	struct tr_accesses *codec;
	struct hart_addresses harts[SOC_HARTS_MAX];
	const struct tr_frame *frame;
	const uint64_t *first_rows;
	uint64_t seen, written;
	bool failed; /* out of memory */
};

static void on_data(void *user, unsigned hart, const struct soc_data *data)
{
	struct addresses *a = user;
	struct hart_addresses *h = &a->harts[hart];

	if (h->count == h->room &&
	    !tr_grow(&h->queue, &h->room, h->count + 1, sizeof(*h->queue))) {
		a->failed = true;
		return;
	}
	h->queue[h->count++] = (struct tr_accessed){
	    .address = data->address,
	    .page = (data->physical & ~UINT64_C(4095)) | data->device};
	a->seen++;
}

static void on_begin(void *user, unsigned hart, uint64_t row, unsigned token)
{
	struct addresses *a = user;
	struct hart_addresses *h = &a->harts[hart];

	if (!tr_grow(&h->begun, &h->begun_room, h->nbegun + 1, sizeof(*h->begun))) {
		a->failed = true;
		return;
	}
	h->begun[h->nbegun++] =
	    (struct begun){.row = row, .access = h->dropped + h->count, .token = token};
}

struct addresses *addresses_new(struct replay *replay,
				const struct addresses_choice *choice)
{
	struct addresses *a = calloc(1, sizeof(*a));
	const struct replay_accesses watch = {
	    .user = a, .data = on_data, .begins = on_begin};

	if (!a)
		return NULL;
	a->replay = replay;
	if (choice)
		a->choice = *choice;
	a->codec = tr_accesses_new();
	if (!a->codec) {
		free(a);
		return NULL;
	}
	replay_watch_accesses(replay, &watch);
	return a;
}

void addresses_free(struct addresses *a)
{
	if (!a)
		return;
	replay_watch_accesses(a->replay, NULL);
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++) {
		free(a->harts[i].queue);
		free(a->harts[i].begun);
	}
	tr_accesses_free(a->codec);
	free(a);
}

/* Returns how many addresses are left that were seen since the last place at which the
 * replay began. */
static uint64_t count_left(const struct hart_addresses *h)
{
	const uint64_t at = h->dropped + h->taken;

	return (h->at + 1 < h->nbegun ? h->begun[h->at + 1].access
				      : h->dropped + h->count) -
	       at;
}

/* Goes on to where the replay has begun again at or before the row. */
static const struct begun *find_begun(struct hart_addresses *h, uint64_t row)
{
	while (h->at + 1 < h->nbegun && row >= h->begun[h->at + 1].row &&
	       count_left(h) == 0)
		h->at++;
	return h->at < h->nbegun ? &h->begun[h->at] : NULL;
}

/* Of a row that begins before the replay does, the replay has only the last accesses. */
static void drop_partial(struct addresses *a, struct hart_addresses *h, uint32_t part,
			 uint32_t row, unsigned token)
{
	const uint32_t id = a->frame->harts[part].rows[row].block;

	h->taken += tr_accesses_of_block(&a->frame->view.blocks[id], token);
}

static const struct tr_accessed *take_row_addresses(void *user, uint32_t part,
						    uint32_t row, unsigned count)
{
	struct addresses *a = user;
	struct hart_addresses *h = &a->harts[a->frame->harts[part].hart];
	const uint64_t number = a->first_rows[part] + row;
	const struct begun *begun = find_begun(h, number);

	if (!begun || number < begun->row)
		return NULL;
	if (number == begun->row && begun->token) {
		drop_partial(a, h, part, row, begun->token);
		return NULL;
	}
	if (count_left(h) < count)
		return NULL;
	h->taken += count;
	if (a->choice.row && !a->choice.row(a->choice.user, part, row))
		return NULL;
	a->written += count;
	return &h->queue[h->taken - count];
}

/* Removes what was taken. */
static void drop_taken(struct hart_addresses *h)
{
	memmove(h->queue, &h->queue[h->taken], (h->count - h->taken) * sizeof(*h->queue));
	h->count -= h->taken;
	h->dropped += h->taken;
	h->taken = 0;
	if (h->at) {
		h->nbegun -= h->at;
		memmove(h->begun, &h->begun[h->at], h->nbegun * sizeof(*h->begun));
		h->at = 0;
	}
}

int addresses_encode(struct addresses *a, const struct tr_frame *frame,
		     const uint64_t *first_rows, struct tr_buffer *out)
{
	int status = a->failed ? TR_E_NOMEM : TR_OK;

	a->frame = frame;
	a->first_rows = first_rows;
	if (a->choice.frame && !status)
		status = a->choice.frame(a->choice.user, frame);
	if (!status)
		status = tr_accesses_encode(a->codec, frame, take_row_addresses, a, out);
	for (uint32_t i = 0; i < frame->nharts; i++)
		if (a->harts[frame->harts[i].hart].taken)
			drop_taken(&a->harts[frame->harts[i].hart]);
	return status;
}

uint64_t addresses_written(const struct addresses *a)
{
	return a->written;
}

uint64_t addresses_seen(const struct addresses *a)
{
	return a->seen;
}

bool addresses_left(const struct addresses *a)
{
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
		if (a->harts[i].taken < a->harts[i].count)
			return true;
	return false;
}
