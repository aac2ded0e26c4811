/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the namespaces and classes around a DIE. */
#include "image/image_scopes.h"

#include <stdlib.h>
#include <string.h>

uint32_t tr_image_scopes_begin(struct image_scopes *scopes, uint32_t parent, uint64_t low,
			       const char *name)
{
	if (scopes->count >= UINT32_MAX - 1 ||
	    !tr_grow(&scopes->list, &scopes->capacity, scopes->count + 1,
		     sizeof(*scopes->list)))
		return 0;
	scopes->list[scopes->count++] =
	    (struct image_scope){low, UINT64_MAX, name, parent};
	return (uint32_t)scopes->count;
}

void tr_image_scopes_end(struct image_scopes *scopes, uint32_t scope, uint64_t high)
{
	for (size_t i = scope - 1; i < scopes->count; i++)
		if (scopes->list[i].high == UINT64_MAX)
			scopes->list[i].high = high;
}

/* Returns the innermost scope around `offset`: index + 1, 0 if none. */
static uint32_t find_innermost_scope(const struct image_scopes *scopes, uint64_t offset)
{
	size_t low = 0, high = scopes->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (scopes->list[middle].low < offset)
			low = middle + 1;
		else
			high = middle;
	}
	uint32_t scope = (uint32_t)low;
	while (scope && scopes->list[scope - 1].high <= offset)
		scope = scopes->list[scope - 1].parent;
	return scope;
}

static void add_names(const struct image_scopes *scopes, uint32_t scope,
		      struct tr_buffer *out)
{
	const struct image_scope *at = &scopes->list[scope - 1];
	if (at->parent)
		add_names(scopes, at->parent, out);
	tr_buffer_add(out, at->name, strlen(at->name));
	tr_buffer_add(out, "::", 2);
}

void tr_image_scopes_prefix(const struct image_scopes *scopes, uint64_t offset,
			    struct tr_buffer *out)
{
	uint32_t scope = find_innermost_scope(scopes, offset);
	if (scope)
		add_names(scopes, scope, out);
}

void tr_image_scopes_release(struct image_scopes *scopes)
{
	free(scopes->list);
	*scopes = (struct image_scopes){0};
}
