/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the requests of disks, from when the driver of a disk gets one to its end. */
#include "timeline/tasks_internal.h"

/* Returns the request at this address, new ones not open; NULL when out of memory. */
static struct block_request *find_block_request(struct tr_tasks *t, uint64_t address)
{
	uint32_t i = tr_map_get(&t->by_request, address);
	if (i != TR_MAP_NONE)
		return &t->requests[i];
	i = t->nrequests;
	if (i == UINT32_MAX ||
	    !tr_grow(&t->requests, &t->request_room, i + 1UL, sizeof(*t->requests)) ||
	    !tr_map_set(&t->by_request, address, i))
		return NULL;
	t->requests[t->nrequests++] = (struct block_request){0};
	return &t->requests[i];
}

/* The driver gets a request. One that it gave back, and gets again, begins anew. */
int tr_tasks_take_block(struct tr_tasks *t, const struct task_hit *hit)
{
	if (t->tallied != TR_TALLY_BLOCK)
		return TR_OK;
	struct block_request *request = find_block_request(t, hit->number);
	if (!request)
		return TR_E_NOMEM;
	request->tally = tr_tallies_find(
	    &t->tallies, &(struct tr_tally_key){TR_TASK_NONE, TR_TASK_NONE, INT64_MIN,
						hit->comm, hit->text});
	if (request->tally == UINT32_MAX)
		return TR_E_NOMEM;
	request->began = hit->cycle;
	request->bytes = hit->size;
	request->is_open = true;
	return TR_OK;
}

/* It has ended. One that ends without having begun, as before the window, is not
 * counted. */
int tr_tasks_take_block_end(struct tr_tasks *t, const struct task_hit *hit)
{
	const uint32_t i = tr_map_get(&t->by_request, hit->number);
	if (i == TR_MAP_NONE || !t->requests[i].is_open)
		return TR_OK;
	struct block_request *request = &t->requests[i];
	request->is_open = false;
	if (!tr_tasks_is_in(t, hit->cycle))
		return TR_OK;
	struct tr_tally *tally = &t->tallies.tallies[request->tally];
	tally->failed += hit->size != 0;
	tally->bytes += request->bytes;
	const uint64_t cycles =
	    hit->cycle > request->began ? hit->cycle - request->began : 0;
	return tr_tally_add(tally, cycles, 0) ? TR_OK : TR_E_NOMEM;
}

void tr_tasks_finish_block(struct tr_tasks *t, uint64_t cycle)
{
	for (uint32_t i = 0; i < t->nrequests && tr_tasks_is_in(t, cycle); i++)
		if (t->requests[i].is_open)
			t->tallies.tallies[t->requests[i].tally].open++;
}
