/* SPDX-License-Identifier: Apache-2.0 */
/* Growable byte buffers and arrays, and an arena whose allocations never move. */
#ifndef TR_BUFFER_H
#define TR_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer that is all zero is empty. */
struct tr_buffer {
	uint8_t *data;
	size_t size, capacity;
	bool failed; /* out of memory: the contents are incomplete */
};
void tr_buffer_free(struct tr_buffer *buffer);
/* Makes room for `more` bytes after the contents. Returns a pointer to the room, or NULL
 * when out of memory. */
uint8_t *tr_buffer_grow(struct tr_buffer *buffer, size_t more);
/* Fast path of tr_buffer_grow(). */
static inline uint8_t *tr_buffer_room(struct tr_buffer *buffer, size_t more)
{
	if (!buffer->failed && more < buffer->capacity - buffer->size)
		return buffer->data + buffer->size;
	return tr_buffer_grow(buffer, more);
}
void tr_buffer_add(struct tr_buffer *buffer, const void *data, size_t size);
/* Append a number, little-endian. */
void tr_buffer_add32(struct tr_buffer *buffer, uint32_t value);
void tr_buffer_add64(struct tr_buffer *buffer, uint64_t value);
void tr_buffer_varint(struct tr_buffer *buffer, uint64_t value);
/* Appends the size as a varint, and the bytes. */
void tr_buffer_sized(struct tr_buffer *buffer, const void *data, size_t size);
/* Does so with the contents of another buffer; the buffer has failed if that has. */
void tr_buffer_body(struct tr_buffer *buffer, const struct tr_buffer *body);

/* Grows `*array`, of `*capacity` elements of `size` bytes, to hold at least `needed`
 * elements. Returns false when out of memory. */
bool tr_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* An arena: memory that is freed all at once. An arena that is all zero is empty. */
struct tr_arena {
	struct tr_arena_page *pages;
	size_t used;  /* bytes used of the newest page */
	size_t total; /* bytes allocated since the last reset */
};
/* Allocates `size` bytes, aligned to 8. Returns NULL when out of memory. */
void *tr_arena_take(struct tr_arena *arena, size_t size);
void tr_arena_reset(struct tr_arena *arena);

#endif
