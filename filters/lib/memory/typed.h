/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses by the members of structures that their instructions reach by a pointer
 * (image/data_types.h).
 *
 * Instructions are collected while the stream is read, and are looked up together at the
 * end. Memory grows with the instructions that access memory. */
#ifndef TR_MEMORY_TYPED_H
#define TR_MEMORY_TYPED_H

#include "image/data_types.h"
#include "memory/places.h"

struct tr_typed;

/* What `places` is stays the caller's. Returns NULL when out of memory; tr_typed_free()
 * accepts NULL. */
struct tr_typed *tr_typed_new(const struct tr_places *places);
void tr_typed_free(struct tr_typed *t);
/* Returns the number of the instruction at `pc` that makes an access in this context;
 * UINT32_MAX if its binary is not known, TR_TYPED_NOMEM when out of memory. */
enum { TR_TYPED_NOMEM = UINT32_MAX - 1 };
uint32_t tr_typed_insn(struct tr_typed *t, const struct tr_context *context, uint64_t pc,
		       const struct tr_access *access);
/* Looks up all instructions. Returns TR_OK or TR_E_NOMEM. */
int tr_typed_find(struct tr_typed *t);
/* Returns the name of the member that an instruction accesses, its binary, and how it is
 * known; NULL if it is not. After tr_typed_find(). */
const char *tr_typed_get(const struct tr_typed *t, uint32_t insn, uint32_t *binary,
			 enum tr_data_evidence *evidence);
/* Returns why the DWARF of a binary could not be read, NULL: it could, or there is none.
 * After tr_typed_find(). */
const char *tr_typed_message(const struct tr_typed *t, uint32_t binary);

#endif
