/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up, for each privilege and address space, what is in no binary. */
#include <stdlib.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "info/coverage.h"

/* Only U-mode has spaces of its own: kernels are the same in all of them. */
static uint64_t satp_of(const struct tr_context *context)
{
	return (context->priv & 3) == TR_PRIV_U ? context->satp : 0;
}

static struct tr_cover_space *append(struct tr_coverage *c, uint8_t priv, uint64_t satp)
{
	bool others = c->nspaces == TR_COVERAGE_SPACES;
	if (c->nspaces > TR_COVERAGE_SPACES)
		return &c->spaces[TR_COVERAGE_SPACES];
	if (!tr_grow(&c->spaces, &c->space_room, c->nspaces + 1, sizeof(*c->spaces)))
		return NULL;
	struct tr_cover_space *space = &c->spaces[c->nspaces++];
	*space = (struct tr_cover_space){.priv = priv, .satp = satp, .others = others};
	return space;
}

struct tr_cover_space *tr_coverage_space(struct tr_coverage *c,
					 const struct tr_context *context)
{
	uint8_t priv = context->priv & 3;
	uint64_t satp = satp_of(context), content[2] = {satp, priv};
	uint64_t key = XXH64(content, sizeof(content), 0);
	for (;; key++) {
		uint32_t i = tr_map_get(&c->space_index, key);
		if (i == TR_MAP_NONE)
			break;
		if (c->spaces[i].priv == priv && c->spaces[i].satp == satp)
			return &c->spaces[i];
	}
	struct tr_cover_space *space = append(c, priv, satp);
	if (!space || space->others)
		return space;
	return tr_map_set(&c->space_index, key, (uint32_t)(c->nspaces - 1)) ? space
									    : NULL;
}

static int compare_spaces(const void *left, const void *right)
{
	const struct tr_cover_space *a = left, *b = right;
	if (a->lost != b->lost)
		return a->lost < b->lost ? 1 : -1;
	if (a->others != b->others)
		return a->others ? 1 : -1;
	if (a->priv != b->priv)
		return a->priv < b->priv ? 1 : -1;
	return (a->satp > b->satp) - (a->satp < b->satp);
}

void tr_coverage_sort_spaces(struct tr_coverage *c)
{
	if (c->nspaces)
		qsort(c->spaces, c->nspaces, sizeof(*c->spaces), compare_spaces);
}
