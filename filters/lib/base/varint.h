/* SPDX-License-Identifier: Apache-2.0 */
/* Variable-length integers: little-endian base 128, as in LEB128 and Protocol Buffers. */
#ifndef TR_VARINT_H
#define TR_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_VARINT_MAX = 10 }; /* bytes of the longest encoding */

static inline uint64_t tr_zigzag(uint64_t difference)
{
	return (difference << 1) ^ (0 - (difference >> 63));
}

static inline uint64_t tr_unzigzag(uint64_t value)
{
	return (value >> 1) ^ (0 - (value & 1));
}

/* Writes 1 to TR_VARINT_MAX bytes. Returns the end. */
static inline uint8_t *tr_varint_put(uint8_t *p, uint64_t value)
{
	while (value >= 0x80) {
		*p++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*p++ = (uint8_t)value;
	return p;
}

/* Input bytes being decoded. Once `bad` is set, all further reads return 0. */
struct tr_bytes {
	const uint8_t *at, *end;
	bool bad;
};

static inline uint64_t tr_varint_slow(struct tr_bytes *in)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		if (in->at == in->end)
			break;
		uint8_t byte = *in->at++;
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	in->bad = true;
	in->at = in->end;
	return 0;
}

/* Fast path: most varints are one to three bytes long. Returns 0 and sets `bad` when
 * malformed. */
static inline uint64_t tr_varint(struct tr_bytes *in)
{
	const uint8_t *p = in->at;
	if (p != in->end && p[0] < 0x80) {
		in->at += 1;
		return p[0];
	}
	if (in->end - p > 2 && p[1] < 0x80) {
		in->at += 2;
		return (p[0] & 0x7fU) | (unsigned)p[1] << 7;
	}
	if (in->end - p > 2 && p[2] < 0x80) {
		in->at += 3;
		return (p[0] & 0x7fU) | (p[1] & 0x7fU) << 7 | (unsigned)p[2] << 14;
	}
	return tr_varint_slow(in);
}

/* Reads a varint below `limit`. Otherwise returns 0 and sets `bad`. */
static inline uint64_t tr_varint_below(struct tr_bytes *in, uint64_t limit)
{
	uint64_t value = tr_varint(in);
	if (value < limit)
		return value;
	in->bad = true;
	in->at = in->end;
	return 0;
}

/* Returns the next `size` bytes, or NULL, with `bad` set, when there are fewer. */
static inline const uint8_t *tr_bytes_take(struct tr_bytes *in, uint64_t size)
{
	if ((uint64_t)(in->end - in->at) < size) {
		in->bad = true;
		in->at = in->end;
		return 0;
	}
	const uint8_t *p = in->at;
	in->at += size;
	return p;
}

#endif
