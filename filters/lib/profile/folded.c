/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of call stacks by name. */
#include "profile/folded.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/map.h"

struct tr_folded {
	struct tr_folded_node *nodes;
	size_t capacity;
	uint32_t count;
	const char **names;
	size_t name_capacity;
	uint32_t name_count;
	struct tr_arena text;
	struct tr_map by_name;	 /* hash of a name (and what follows it) to name id */
	struct tr_map by_parent; /* (parent, name id) to node */
	uint64_t sum[2];
	uint64_t *parts; /* nparts of each node */
	size_t part_capacity;
	unsigned nparts;
};

struct tr_folded *tr_folded_new(void)
{
	struct tr_folded *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	if (!tr_grow(&f->nodes, &f->capacity, 1, sizeof(*f->nodes))) {
		free(f);
		return NULL;
	}
	f->nodes[0] = (struct tr_folded_node){
	    .name = "", .name_id = UINT32_MAX, .tint = TR_TINT_PROGRAM};
	f->count = 1;
	return f;
}

void tr_folded_free(struct tr_folded *f)
{
	if (!f)
		return;
	free(f->nodes);
	free(f->names);
	free(f->parts);
	tr_arena_reset(&f->text);
	tr_map_free(&f->by_name);
	tr_map_free(&f->by_parent);
	free(f);
}

/* Room for the parts of one more node, which are 0. */
static bool add_parts(struct tr_folded *f)
{
	size_t first = (size_t)f->count * f->nparts;
	if (!tr_grow(&f->parts, &f->part_capacity, first + f->nparts, sizeof(*f->parts)))
		return false;
	if (f->nparts)
		memset(&f->parts[first], 0, f->nparts * sizeof(*f->parts));
	return true;
}

int tr_folded_divide(struct tr_folded *f, unsigned count)
{
	f->nparts = count;
	f->count = 0;
	bool good = add_parts(f);
	f->count = 1;
	return good ? TR_OK : TR_E_NOMEM;
}

/* Names whose hashes are equal take the next free keys. */
static int intern(struct tr_folded *f, const char *name, size_t size, uint32_t *id)
{
	uint64_t key = XXH3_64bits(name, size);
	for (;; key++) {
		*id = tr_map_get(&f->by_name, key);
		if (*id == TR_MAP_NONE)
			break;
		const char *have = f->names[*id];
		if (strlen(have) == size && memcmp(have, name, size) == 0)
			return TR_OK;
	}
	char *copy = tr_arena_take(&f->text, size + 1);
	if (!copy ||
	    !tr_grow(&f->names, &f->name_capacity, (size_t)f->name_count + 1,
		     sizeof(*f->names)) ||
	    !tr_map_set(&f->by_name, key, f->name_count))
		return TR_E_NOMEM;
	memcpy(copy, name, size);
	copy[size] = '\0';
	*id = f->name_count++;
	f->names[*id] = copy;
	return TR_OK;
}

int tr_folded_child(struct tr_folded *f, uint32_t parent, const char *name, size_t size,
		    uint8_t tint, uint32_t *id)
{
	uint32_t name_id;
	if (intern(f, name, size, &name_id))
		return TR_E_NOMEM;
	*id = tr_map_get(&f->by_parent, tr_pair_key(parent, name_id));
	if (*id != TR_MAP_NONE)
		return TR_OK;
	if (f->count == UINT32_MAX - 1 ||
	    !tr_grow(&f->nodes, &f->capacity, (size_t)f->count + 1, sizeof(*f->nodes)) ||
	    !add_parts(f) ||
	    !tr_map_set(&f->by_parent, tr_pair_key(parent, name_id), f->count))
		return TR_E_NOMEM;
	*id = f->count++;
	f->nodes[*id] = (struct tr_folded_node){
	    .name = f->names[name_id],
	    .parent = parent,
	    .depth = f->nodes[parent].depth + 1,
	    .name_id = name_id,
	    .tint = tint,
	};
	return TR_OK;
}

int tr_folded_add(struct tr_folded *f, uint32_t id, unsigned which, uint64_t value)
{
	if (__builtin_add_overflow(f->sum[which], value, &f->sum[which]))
		return TR_E_CORRUPT;
	f->nodes[id].self[which] += value;
	return TR_OK;
}

uint64_t *tr_folded_parts(struct tr_folded *f, uint32_t id)
{
	return &f->parts[(size_t)id * f->nparts];
}

uint32_t tr_folded_count(const struct tr_folded *f)
{
	return f->count;
}

uint32_t tr_folded_names(const struct tr_folded *f)
{
	return f->name_count;
}

const struct tr_folded_node *tr_folded_node(const struct tr_folded *f, uint32_t id)
{
	return &f->nodes[id];
}

uint64_t tr_folded_sum(const struct tr_folded *f, unsigned which)
{
	return f->sum[which];
}

void tr_folded_totals(const struct tr_folded *f, unsigned which, uint64_t *total)
{
	for (uint32_t i = 0; i < f->count; i++)
		total[i] = f->nodes[i].self[which];
	for (uint32_t i = f->count; i-- > 1;)
		total[f->nodes[i].parent] += total[i];
}

unsigned tr_folded_part_count(const struct tr_folded *f)
{
	return f->nparts;
}

void tr_folded_part_totals(const struct tr_folded *f, uint64_t *total)
{
	const size_t n = f->nparts;
	if (n)
		memcpy(total, f->parts, f->count * n * sizeof(*total));
	for (size_t i = f->count; i-- > 1;)
		for (size_t part = 0; part < n; part++)
			total[f->nodes[i].parent * n + part] += total[i * n + part];
}

void tr_folded_scale(struct tr_folded *f)
{
	const long double before = (long double)f->sum[0], after = (long double)f->sum[1];
	if (!f->sum[0])
		return;
	f->sum[0] = 0;
	for (uint32_t i = 0; i < f->count; i++) {
		long double value = (long double)f->nodes[i].self[0] * after / before;
		f->nodes[i].self[0] = (uint64_t)(value + 0.5L);
		f->sum[0] += f->nodes[i].self[0];
	}
}
