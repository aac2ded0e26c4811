/* SPDX-License-Identifier: Apache-2.0 */
/* Growing byte buffers, growing arrays, and an arena whose pieces stay put. */
#ifndef TR_BUFFER_H
#define TR_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialised is empty. */
struct tr_buffer {
	uint8_t *data;
	size_t size, capacity;
	bool failed; /* out of memory: the contents are incomplete */
};
void tr_buffer_free(struct tr_buffer *buffer);
/* Room for `more` bytes; returns where they go, NULL when out of memory. */
uint8_t *tr_buffer_grow(struct tr_buffer *buffer, size_t more);
static inline uint8_t *tr_buffer_room(struct tr_buffer *buffer, size_t more)
{
	if (!buffer->failed && more < buffer->capacity - buffer->size)
		return buffer->data + buffer->size;
	return tr_buffer_grow(buffer, more);
}
void tr_buffer_add(struct tr_buffer *buffer, const void *data, size_t size);
void tr_buffer_varint(struct tr_buffer *buffer, uint64_t value);

/* Makes `*array`, of `*capacity` elements of `size` bytes, hold `needed`: false
 * when out of memory. */
bool tr_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* Memory that is given back all at once. Zero-initialised is empty. */
struct tr_arena {
	struct tr_arena_page *pages;
	size_t used;  /* of the newest page */
	size_t total; /* bytes handed out since the last reset */
};
/* `size` bytes aligned to 8, NULL when out of memory. */
void *tr_arena_take(struct tr_arena *arena, size_t size);
void tr_arena_reset(struct tr_arena *arena);

#endif
