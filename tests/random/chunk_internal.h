/* SPDX-License-Identifier: Apache-2.0 */
/* What the plans and the set-ups of chunks share. */
#ifndef RANDOM_CHUNK_INTERNAL_H
#define RANDOM_CHUNK_INTERNAL_H

#include "chunk.h"

/* chunk.c: the PTE of a page of the body and where it is. */
uint64_t chunk_code_pte(const struct chunk *k, unsigned page, uint64_t *at);

/* setup.c: code that ends a segment by going to the next one, and what goes to
 * the first, with the constants that both load. */
void chunk_descend(struct chunk *k, const struct segment *next);
void chunk_write_setup(struct chunk *k);

#endif
