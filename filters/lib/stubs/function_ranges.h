/* SPDX-License-Identifier: Apache-2.0 */
/* funcs.bin and funcsg.bin: the address ranges of a program's counted functions, sorted,
 * so that a sample's pc is found by binary search (section 4.2.1 of the thesis). Format:
 * prof-files(5). */
#ifndef TR_FUNCTION_RANGES_H
#define TR_FUNCTION_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "stubs/stubs.h"

struct tr_function_range {
	uint64_t start, end; /* addresses; end is behind the last byte */
	uint32_t index;
};

struct tr_function_ranges {
	struct tr_function_range *ranges; /* by start, apart */
	uint32_t count;
	uint32_t flags; /* TR_STUBS_GLOBAL, TR_STUBS_MOVABLE */
	uint8_t build_id[TR_STUBS_BUILD_ID_MAX];
	uint32_t build_id_size;
};

/* Encodes the ranges. Returns bytes that the caller frees, with their number in *size;
 * NULL without memory. */
uint8_t *tr_function_ranges_encode(const struct tr_function_ranges *ranges, size_t *size);
/* Returns 0, with *ranges, whose array the caller frees; TR_E_NOMEM; TR_E_TRUNCATED,
 * TR_E_UNSUPPORTED or TR_E_CORRUPT with the number of the byte in *at. */
enum tr_status tr_function_ranges_decode(const uint8_t *bytes, size_t size,
					 struct tr_function_ranges *ranges, uint64_t *at);

#endif
