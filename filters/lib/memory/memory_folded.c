/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation stacks as folded text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "memory/memory_report.h"

/* A line: the stack and what is behind it. */
struct folded {
	const char *stack, *leaf;
	uint64_t weight;
};

static uint64_t weigh(const struct tr_memory_sum *sum, enum tr_memory_unit unit)
{
	uint64_t lost = 0;
	switch (unit) {
	case TR_MEMORY_ACCESSES:
		return tr_memory_accesses(sum);
	case TR_MEMORY_MISSED:
		return sum->missed;
	default:
		for (unsigned i = 0; i < TR_MAX_CLASSES; i++)
			lost += sum->lost[i];
		return lost;
	}
}

static int compare_folded(const void *left, const void *right)
{
	const struct folded *a = left, *b = right;
	const int order = strcmp(a->stack, b->stack);
	return order ? order : strcmp(a->leaf, b->leaf);
}

int tr_memory_write_folded(const struct tr_memory *m, enum tr_memory_unit unit,
			   FILE *file)
{
	const size_t objects = tr_memory_objects(m);
	struct folded *lines = calloc(objects + 1, sizeof(*lines));
	struct folded rest = {.stack = "[not on the heap]", .leaf = ""};
	size_t count = 0;
	if (!lines)
		return TR_E_NOMEM;
	for (size_t i = 0; i < objects; i++) {
		const struct tr_memory_object *object = tr_memory_object(m, i);
		const char *stack = tr_memory_stack(m, object);
		const uint64_t weight = weigh(&object->sum, unit);
		if (!stack)
			rest.weight += weight;
		else if (weight)
			lines[count++] = (struct folded){
			    .stack = stack,
			    .leaf =
				object->place.kind == TR_PLACE_FREED ? ";[freed]" : "",
			    .weight = weight};
	}
	if (rest.weight)
		lines[count++] = rest;
	qsort(lines, count, sizeof(*lines), compare_folded);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%s %" PRIu64 "\n", lines[i].stack, lines[i].leaf,
			lines[i].weight);
	free(lines);
	return TR_OK;
}
