/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the plans and the set-ups of chunks. */
#ifndef RANDOM_CHUNK_INTERNAL_H
#define RANDOM_CHUNK_INTERNAL_H

#include "chunk.h"

/* chunk.c: returns the PTE of a page of the body, and its address in *at. */
uint64_t chunk_code_pte(const struct chunk *k, unsigned page, uint64_t *at);

/* setup.c: code at the end of a segment that enters the next one, code that enters the
 * first segment, and the constants that both load. */
void chunk_descend(struct chunk *k, const struct segment *next);
void chunk_write_setup(struct chunk *k);

#endif
