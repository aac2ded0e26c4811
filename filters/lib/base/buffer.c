/* SPDX-License-Identifier: Apache-2.0 */
/* Growable byte buffers and arrays, and an arena whose allocations never move. */
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/varint.h"

void tr_buffer_free(struct tr_buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct tr_buffer){0};
}

uint8_t *tr_buffer_grow(struct tr_buffer *buffer, size_t more)
{
	if (buffer->failed ||
	    !tr_grow(&buffer->data, &buffer->capacity, buffer->size + more, 1)) {
		buffer->failed = true;
		return NULL;
	}
	return buffer->data ? buffer->data + buffer->size : NULL;
}

void tr_buffer_add(struct tr_buffer *buffer, const void *data, size_t size)
{
	uint8_t *p = size ? tr_buffer_room(buffer, size) : NULL;
	if (!p)
		return;
	memcpy(p, data, size);
	buffer->size += size;
}

void tr_buffer_add32(struct tr_buffer *buffer, uint32_t value)
{
	uint8_t bytes[sizeof(value)];
	tr_store32(bytes, value);
	tr_buffer_add(buffer, bytes, sizeof(bytes));
}

void tr_buffer_add64(struct tr_buffer *buffer, uint64_t value)
{
	uint8_t bytes[sizeof(value)];
	tr_store64(bytes, value);
	tr_buffer_add(buffer, bytes, sizeof(bytes));
}

void tr_buffer_varint(struct tr_buffer *buffer, uint64_t value)
{
	uint8_t *p = tr_buffer_room(buffer, TR_VARINT_MAX);
	if (p)
		buffer->size = (size_t)(tr_varint_put(p, value) - buffer->data);
}

void tr_buffer_sized(struct tr_buffer *buffer, const void *data, size_t size)
{
	tr_buffer_varint(buffer, size);
	tr_buffer_add(buffer, data, size);
}

void tr_buffer_body(struct tr_buffer *buffer, const struct tr_buffer *body)
{
	tr_buffer_sized(buffer, body->data, body->size);
	buffer->failed = buffer->failed || body->failed;
}

bool tr_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return true;
	size_t wanted = *capacity ? *capacity * 2 : 64;
	if (wanted < needed)
		wanted = needed;
	void *old, *new = NULL;
	memcpy(&old, array, sizeof(old));
	if (wanted <= SIZE_MAX / 2 / size)
		new = realloc(old, wanted * size);
	if (!new)
		return false;
	memcpy(array, &new, sizeof(new));
	*capacity = wanted;
	return true;
}

enum { PAGE_BYTES = 1 << 18 };

struct tr_arena_page {
	struct tr_arena_page *older;
	size_t size;
	uint64_t data[];
};

void *tr_arena_take(struct tr_arena *arena, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	if (!arena->pages || arena->pages->size - arena->used < size) {
		size_t bytes = size > PAGE_BYTES ? size : PAGE_BYTES;
		struct tr_arena_page *page = malloc(sizeof(*page) + bytes);
		if (!page)
			return NULL;
		page->older = arena->pages;
		page->size = bytes;
		arena->pages = page;
		arena->used = 0;
	}
	void *p = (uint8_t *)arena->pages->data + arena->used;
	arena->used += size;
	arena->total += size;
	return p;
}

void tr_arena_reset(struct tr_arena *arena)
{
	while (arena->pages) {
		struct tr_arena_page *older = arena->pages->older;
		free(arena->pages);
		arena->pages = older;
	}
	arena->used = arena->total = 0;
}
