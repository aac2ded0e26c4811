/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of call stacks by name. */
#include "profile/folded.h"

#include <inttypes.h>
#include <stdbool.h>
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
	struct tr_map by_name;	 /* from hash of a name (and the next keys) to name id */
	struct tr_map by_parent; /* from (parent, name id) to node */
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
	    .name = "",
	    .name_id = UINT32_MAX,
	    .tint = TR_TINT_PROGRAM,
	    .priv = TR_FOLDED_NO_PRIV,
	};
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

/* Adds room, all zero, for the parts of one more node. Returns false when out of
 * memory. */
static bool add_node_parts(struct tr_folded *f)
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
	bool good = add_node_parts(f);
	f->count = 1;
	return good ? TR_OK : TR_E_NOMEM;
}

/* Finds or adds a name. Names with equal hashes use the following keys. Returns
 * a status. */
static int intern_name(struct tr_folded *f, const char *name, size_t size, uint32_t *id)
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
	if (intern_name(f, name, size, &name_id))
		return TR_E_NOMEM;
	*id = tr_map_get(&f->by_parent, tr_pair_key(parent, name_id));
	if (*id != TR_MAP_NONE)
		return TR_OK;
	if (f->count == UINT32_MAX - 1 ||
	    !tr_grow(&f->nodes, &f->capacity, (size_t)f->count + 1, sizeof(*f->nodes)) ||
	    !add_node_parts(f) ||
	    !tr_map_set(&f->by_parent, tr_pair_key(parent, name_id), f->count))
		return TR_E_NOMEM;
	*id = f->count++;
	f->nodes[*id] = (struct tr_folded_node){
	    .name = f->names[name_id],
	    .parent = parent,
	    .depth = f->nodes[parent].depth + 1,
	    .name_id = name_id,
	    .tint = tint,
	    .priv = TR_FOLDED_NO_PRIV,
	};
	return TR_OK;
}

void tr_folded_describe(struct tr_folded *f, uint32_t id, const struct tr_func *func,
			uint8_t priv)
{
	struct tr_folded_node *node = &f->nodes[id];
	if (node->func)
		return;
	node->func = func;
	node->priv = priv;
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

/* Output of folded text, sorted as by sort(1) in the C locale. */

struct order {
	const struct tr_folded_node *nodes;
	unsigned which;
	struct tr_buffer left, right;
};

/* Returns the frames of `id` below `top`, joined by ';' and terminated by NUL; NULL when
 * out of memory. */
static const char *render_stack(const struct tr_folded_node *nodes, uint32_t top,
				uint32_t id, struct tr_buffer *out)
{
	size_t size = 0;
	for (uint32_t i = id; i != top; i = nodes[i].parent)
		size += strlen(nodes[i].name) + 1;
	out->size = 0;
	uint8_t *p = tr_buffer_room(out, size + 1);
	if (!p)
		return NULL;
	uint8_t *end = p + size;
	*end = '\0';
	for (uint32_t i = id; i != top; i = nodes[i].parent) {
		const char *name = nodes[i].name;
		size_t length = strlen(name);
		*--end = i == id ? '\0' : ';';
		end -= length;
		memcpy(end, name, length);
	}
	return (const char *)p;
}

/* Compares complete lines of two nodes whose parent is the same. */
static int compare_folded_lines(struct order *order, uint32_t top, uint32_t a, uint32_t b)
{
	const char *x = render_stack(order->nodes, top, a, &order->left);
	const char *y = render_stack(order->nodes, top, b, &order->right);
	if (!x || !y)
		return 0;
	char ends[2][24];
	snprintf(ends[0], sizeof(ends[0]), " %" PRIu64,
		 order->nodes[a].self[order->which]);
	snprintf(ends[1], sizeof(ends[1]), " %" PRIu64,
		 order->nodes[b].self[order->which]);
	bool x_ended = false, y_ended = false;
	for (;; x++, y++) {
		if (!*x && !x_ended) {
			x = ends[0];
			x_ended = true;
		}
		if (!*y && !y_ended) {
			y = ends[1];
			y_ended = true;
		}
		if (*x != *y || !*x)
			return ((unsigned char)*x > (unsigned char)*y) -
			       ((unsigned char)*x < (unsigned char)*y);
	}
}

static int compare_stacks(const void *left, const void *right, void *context)
{
	struct order *order = context;
	const struct tr_folded_node *nodes = order->nodes;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint32_t leaf_a = a, leaf_b = b;
	if (a == b)
		return 0;
	while (nodes[a].depth > nodes[b].depth)
		a = nodes[a].parent;
	while (nodes[b].depth > nodes[a].depth)
		b = nodes[b].parent;
	if (a == b) /* one stack is a prefix of the other, and ' ' sorts before ';' */
		return leaf_a == a ? -1 : 1;
	while (nodes[a].parent != nodes[b].parent) {
		a = nodes[a].parent;
		b = nodes[b].parent;
	}
	const char *x = nodes[a].name, *y = nodes[b].name;
	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x && *y)
		return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
	return compare_folded_lines(order, nodes[a].parent, leaf_a, leaf_b);
}

static bool is_below_node(const struct tr_folded_node *nodes, uint32_t id, uint32_t top)
{
	while (top && id > top)
		id = nodes[id].parent;
	return !top || id == top;
}

int tr_folded_sorted(const struct tr_folded *f, uint32_t top, unsigned which,
		     uint32_t **ids, uint32_t *count)
{
	const struct tr_folded_node *nodes = tr_folded_node(f, 0);
	const bool either = which == TR_FOLDED_EITHER;
	struct order order = {.nodes = nodes, .which = either ? 0 : which};
	*count = 0;
	*ids = calloc(tr_folded_count(f), sizeof(**ids));
	if (!*ids)
		return TR_E_NOMEM;
	for (uint32_t i = 1; i < tr_folded_count(f); i++)
		if ((nodes[i].self[order.which] || (either && nodes[i].self[1])) &&
		    is_below_node(nodes, i, top))
			(*ids)[(*count)++] = i;
	qsort_r(*ids, *count, sizeof(**ids), compare_stacks, &order);
	bool failed = order.left.failed || order.right.failed;
	tr_buffer_free(&order.left);
	tr_buffer_free(&order.right);
	if (!failed)
		return TR_OK;
	free(*ids);
	*ids = NULL;
	*count = 0;
	return TR_E_NOMEM;
}

int tr_folded_write(const struct tr_folded *f, uint32_t top, unsigned which, FILE *file)
{
	const struct tr_folded_node *nodes = tr_folded_node(f, 0);
	struct tr_buffer line = {0};
	uint32_t *ids, count;
	bool failed = tr_folded_sorted(f, top, which, &ids, &count) != TR_OK;
	for (uint32_t i = 0; i < count && !failed; i++) {
		const char *text = render_stack(nodes, 0, ids[i], &line);
		if (text)
			fprintf(file, "%s %" PRIu64 "\n", text,
				nodes[ids[i]].self[which]);
		else
			failed = true;
	}
	free(ids);
	tr_buffer_free(&line);
	return failed ? TR_E_NOMEM : TR_OK;
}

char *tr_folded_text(const struct tr_folded *f, uint32_t id)
{
	struct tr_buffer buffer = {0};
	if (!render_stack(tr_folded_node(f, 0), 0, id, &buffer))
		tr_buffer_free(&buffer);
	return (char *)buffer.data;
}
