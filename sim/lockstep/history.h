/* SPDX-License-Identifier: Apache-2.0 */
/* Old contents of memory: determines which translations and instruction bytes a hart that
 * caches them may still use.
 *
 * Every store is recorded with the 8 bytes that it changes. A translation is legal if
 * some page-table walk finds it in which each entry is one that memory held since the
 * last sfence.vma covering the address. For the root, satp, older values are legal as
 * well: for the same ASID, and for global pages. */
#ifndef LOCKSTEP_HISTORY_H
#define LOCKSTEP_HISTORY_H

#include "model/model.h"

struct history;

struct history *history_new(const struct soc *soc, unsigned hart); /* NULL: no memory */
void history_free(struct history *h);

/* Records a store to the 8 bytes around this physical address, before it happens. */
void history_store(struct history *h, uint64_t address);
/* Records that satp was `old`. */
void history_satp(struct history *h, uint64_t old);
void history_fence_i(struct history *h);
/* sfence.vma with or without an address and an ASID. */
struct history_fence {
	uint64_t event; /* set by history_fence() */
	uint64_t address;
	uint32_t asid;
	bool one_address, one_asid;
};
void history_fence(struct history *h, const struct history_fence *fence);

/* Returns whether t->address may be translated with this result, t->cause or t->physical.
 * An access fault of a load or store may also be due to an address outside RAM: then t
 * becomes the translation to that address, with cause 0. */
bool history_translates(const struct history *h, struct soc_translation *t);
/* Returns whether the instruction at pc may be this one. */
bool history_fetches(const struct history *h, uint64_t pc, unsigned priv, uint32_t insn);

#endif
