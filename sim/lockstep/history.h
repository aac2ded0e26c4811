/* SPDX-License-Identifier: Apache-2.0 */
/* What memory held: which translations and which instruction bytes a core that
 * caches them may still use.
 *
 * Every store is recorded with the 8 bytes that it changes. A translation is legal
 * if some walk finds it, in which each entry is one that memory held since the last
 * sfence.vma that covers the address. Of the root, satp, older values count too:
 * for the same ASID, and for global pages.
 */
#ifndef LOCKSTEP_HISTORY_H
#define LOCKSTEP_HISTORY_H

#include "model/model.h"

struct history;

struct history *history_new(const struct soc *soc); /* NULL: no memory */
void history_free(struct history *h);

/* Before a store in the 8 bytes around this physical address. */
void history_store(struct history *h, uint64_t address);
/* satp was `old`. */
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

/* Whether t->address may be translated with this result, t->cause or t->physical. A
 * load or store that raises an access fault may also be one of an address outside
 * RAM: then t becomes that, with cause 0. */
bool history_translates(const struct history *h, struct soc_translation *t);
/* Whether the instruction at pc may be this. */
bool history_fetches(const struct history *h, uint64_t pc, unsigned priv, uint32_t insn);

#endif
