/* SPDX-License-Identifier: Apache-2.0 */
/* Writes folded text, lines in the order of sort(1) in the C locale. */
#include "profile/folded.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

struct order {
	const struct tr_folded_node *nodes;
	unsigned which;
	struct tr_buffer left, right;
};

/* The frames of `id` below `top`, joined by ';', and a NUL after them. */
static const char *render(const struct tr_folded_node *nodes, uint32_t top, uint32_t id,
			  struct tr_buffer *out)
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

/* Whole lines, from frames on whose parent is the same. */
static int compare_lines(struct order *order, uint32_t top, uint32_t a, uint32_t b)
{
	const char *x = render(order->nodes, top, a, &order->left);
	const char *y = render(order->nodes, top, b, &order->right);
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

static int compare(const void *left, const void *right, void *context)
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
	if (a == b) /* one stack begins with the other, and ' ' is below ';' */
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
	return compare_lines(order, nodes[a].parent, leaf_a, leaf_b);
}

static bool is_below(const struct tr_folded_node *nodes, uint32_t id, uint32_t top)
{
	while (top && id > top)
		id = nodes[id].parent;
	return !top || id == top;
}

int tr_folded_write(const struct tr_folded *f, uint32_t top, unsigned which, FILE *file)
{
	const struct tr_folded_node *nodes = tr_folded_node(f, 0);
	struct order order = {.nodes = nodes, .which = which};
	uint32_t *ids = calloc(tr_folded_count(f), sizeof(*ids)), count = 0;
	bool failed = !ids;
	for (uint32_t i = 1; ids && i < tr_folded_count(f); i++)
		if (nodes[i].self[which] && is_below(nodes, i, top))
			ids[count++] = i;
	if (ids)
		qsort_r(ids, count, sizeof(*ids), compare, &order);
	for (uint32_t i = 0; i < count && !failed; i++) {
		const char *text = render(nodes, 0, ids[i], &order.left);
		if (text)
			fprintf(file, "%s %" PRIu64 "\n", text,
				nodes[ids[i]].self[which]);
		else
			failed = true;
	}
	free(ids);
	failed = failed || order.left.failed || order.right.failed;
	tr_buffer_free(&order.left);
	tr_buffer_free(&order.right);
	return failed ? TR_E_NOMEM : TR_OK;
}

char *tr_folded_text(const struct tr_folded *f, uint32_t id)
{
	struct tr_buffer buffer = {0};
	if (!render(tr_folded_node(f, 0), 0, id, &buffer))
		tr_buffer_free(&buffer);
	return (char *)buffer.data;
}
