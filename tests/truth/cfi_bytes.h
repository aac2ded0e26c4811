/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds-checked reads of numbers in frame information. */
#ifndef TRUTH_CFI_BYTES_H
#define TRUTH_CFI_BYTES_H

#include <stdbool.h>
#include <stdint.h>

struct cfi_bytes {
	const uint8_t *at, *end;
	bool bad; /* read past the end; such reads return 0 */
};

static inline uint64_t cfi_fixed(struct cfi_bytes *in, unsigned bytes)
{
	uint64_t value = 0;

	if (in->end - in->at < (int)bytes) {
		in->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)*in->at++ << 8 * i;
	return value;
}

static inline uint64_t cfi_leb(struct cfi_bytes *in, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte = 0x80;

	while (byte & 0x80 && !in->bad && shift < 64) {
		byte = (uint8_t)cfi_fixed(in, 1);
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	}
	if (is_signed && byte & 0x40 && shift < 64)
		value |= UINT64_MAX << shift;
	return value;
}

static inline uint64_t cfi_unsigned(struct cfi_bytes *in)
{
	return cfi_leb(in, false);
}

static inline int64_t cfi_signed(struct cfi_bytes *in)
{
	return (int64_t)cfi_leb(in, true);
}

#endif
