/* SPDX-License-Identifier: Apache-2.0 */
/* What encoding and decoding share of the addresses of a frame's accesses.
 *
 * Most addresses follow from the code (access_shape.h). Of a leader, only the difference
 * to what is predicted is stored: by the sp that the row begins with, or else by the
 * last addresses of the same instruction. */
#include <stdlib.h>
#include <string.h>

#include "stream/accesses_state.h"

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

int tr_accesses_begin_blocks(struct tr_accesses *a, const struct tr_frame *frame)
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

int tr_accesses_add_shape(struct tr_accesses *a, const struct tr_frame *frame,
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

/* ------------------------------------------------------------ predictions */

void tr_accesses_begin_frame(struct tr_accesses *a)
{
	memset(a->predictions, 0, PREDICTIONS * sizeof(*a->predictions));
}

void tr_accesses_begin_part(struct tr_accesses *a)
{
	a->sp = 0;
	tr_map_clear(&a->page_ids);
	a->npages = 0;
	memset(a->recent, 0, sizeof(a->recent));
	a->page_offset = a->since = 0;
}

uint64_t *tr_accesses_page(struct tr_accesses *a, uint64_t address)
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
