/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of code that was compiled at addresses that overlap. */
#include <inttypes.h>
#include <stdlib.h>

#include "image/image_jit_internal.h"

/* The layers of what is between two neighbouring ends of pieces: a tree in an array, in
 * which a node's children are behind it. */
struct layering {
	uint64_t *ends; /* ascending, each once */
	size_t nends;
	uint32_t *most;	 /* the highest layer below a node */
	uint32_t *whole; /* the layer of all that is below it, or less than theirs */
};

static int compare_ends(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void collect_ends(struct layering *l, const struct image_jit *jit)
{
	size_t count = 0;
	for (size_t i = 0; i < jit->npieces; i++) {
		l->ends[count++] = jit->pieces[i].address;
		l->ends[count++] = jit->pieces[i].address + jit->pieces[i].size;
	}
	qsort(l->ends, count, sizeof(*l->ends), compare_ends);
	for (size_t i = 0; i < count; i++)
		if (!l->nends || l->ends[i] != l->ends[l->nends - 1])
			l->ends[l->nends++] = l->ends[i];
}

static size_t index_of_end(const struct layering *l, uint64_t address)
{
	size_t low = 0, high = l->nends;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (l->ends[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What a call of step_layers() is about: [low, high) of the ends. */
struct layer_step {
	size_t low, high;
	uint32_t layer; /* to set; 0: ask */
};

/* Returns the highest layer, from 1, within the step at a node that covers [first, last),
 * after setting it to step->layer. Layers only rise. */
static uint32_t step_layers(struct layering *l, const struct layer_step *step,
			    size_t node, size_t first, size_t last)
{
	if (step->high <= first || last <= step->low)
		return 0;
	if (step->low <= first && last <= step->high) {
		if (step->layer)
			l->most[node] = l->whole[node] = step->layer;
		return l->most[node];
	}
	const size_t middle = first + (last - first) / 2;
	uint32_t most = l->whole[node];
	const uint32_t left = step_layers(l, step, 2 * node, first, middle);
	const uint32_t right = step_layers(l, step, 2 * node + 1, middle, last);
	most = left > most ? left : most;
	most = right > most ? right : most;
	if (step->layer && step->layer > l->most[node])
		l->most[node] = step->layer;
	return most;
}

static int compare_places(const void *a, const void *b, void *context)
{
	const struct tr_jit_piece *pieces = context;
	const struct tr_jit_piece *x = &pieces[*(const uint32_t *)a],
				  *y = &pieces[*(const uint32_t *)b];
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static int set_layers(struct tr_image *image, struct layering *l)
{
	struct image_jit *jit = image->jit;
	for (size_t i = 0; i < jit->npieces; i++) {
		struct tr_jit_piece *piece = &jit->pieces[i];
		struct layer_step step = {
		    .low = index_of_end(l, piece->address),
		    .high = index_of_end(l, piece->address + piece->size)};
		piece->layer = step_layers(l, &step, 1, 0, l->nends);
		if (piece->layer >= TR_JIT_LAYERS)
			return tr_image_fail(image, TR_E_UNSUPPORTED,
					     "code at 0x%" PRIx64
					     " was compiled more than %d times",
					     piece->address, TR_JIT_LAYERS);
		step.layer = piece->layer + 1;
		step_layers(l, &step, 1, 0, l->nends);
		if (step.layer > jit->nlayers)
			jit->nlayers = step.layer;
	}
	for (size_t i = 0; i < jit->npieces; i++) {
		struct tr_jit_piece *piece = &jit->pieces[i];
		const struct layer_step step = {
		    .low = index_of_end(l, piece->address),
		    .high = index_of_end(l, piece->address + piece->size)};
		piece->is_covered =
		    step_layers(l, &step, 1, 0, l->nends) > piece->layer + 1;
	}
	return TR_OK;
}

int tr_jit_layer(struct tr_image *image)
{
	struct image_jit *jit = image->jit;
	struct layering l = {.ends = malloc(2 * jit->npieces * sizeof(*l.ends) + 1)};
	int status = TR_E_NOMEM;
	if (l.ends) {
		collect_ends(&l, jit);
		l.most = calloc(4 * l.nends + 4, sizeof(*l.most));
		l.whole = calloc(4 * l.nends + 4, sizeof(*l.whole));
		jit->by_place = malloc(jit->npieces * sizeof(*jit->by_place) + 1);
	}
	if (l.most && l.whole && jit->by_place) {
		status = set_layers(image, &l);
		for (uint32_t i = 0; i < jit->npieces; i++)
			jit->by_place[i] = i;
		qsort_r(jit->by_place, jit->npieces, sizeof(*jit->by_place),
			compare_places, jit->pieces);
	} else {
		tr_image_fail(image, status, "out of memory");
	}
	free(l.ends);
	free(l.most);
	free(l.whole);
	return status;
}
