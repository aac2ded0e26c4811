/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian loads and stores at any alignment. */
#ifndef TR_LITTLE_H
#define TR_LITTLE_H

#include <stdint.h>

static inline uint32_t tr_load16(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t tr_load32(const uint8_t *p)
{
	return tr_load16(p) | tr_load16(p + 2) << 16;
}

static inline uint64_t tr_load64(const uint8_t *p)
{
	return tr_load32(p) | (uint64_t)tr_load32(p + 4) << 32;
}

static inline void tr_store32(uint8_t *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static inline void tr_store64(uint8_t *p, uint64_t value)
{
	tr_store32(p, (uint32_t)value);
	tr_store32(p + 4, (uint32_t)(value >> 32));
}

#endif
