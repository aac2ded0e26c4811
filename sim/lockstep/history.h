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

#include "commit.h"
#include "model/model.h"

struct history;

struct history *history_new(const struct soc *soc, unsigned hart); /* NULL: no memory */
void history_free(struct history *h);

/* Records a store to the 8 bytes around this physical address, before it happens. */
void history_store(struct history *h, uint64_t address);
/* Records that these 8 bytes of memory held this value. */
void history_add(struct history *h, uint64_t address, uint64_t old);
/* Passes what has been recorded since the last fence.i, or the last sfence.vma of
 * everything, as far as it is kept. */
void history_each(const struct history *h,
		  void (*take)(void *user, uint64_t address, uint64_t old), void *user);
/* Records that satp was `old`. */
void history_satp(struct history *h, uint64_t old);
/* Records the fence.i or sfence.vma of these bits, which the hart has just executed, with
 * the registers of the model. */
void history_system(struct history *h, uint32_t insn);

/* Returns whether t->address may be translated with this result, t->cause or t->physical.
 * An access fault of a load or store may also be due to an address outside RAM: then t
 * becomes the translation to that address, with cause 0. */
bool history_translates(const struct history *h, struct soc_translation *t);
/* Replaces the translation of a load or store in the step `c` by the other machine's, if
 * that is different and legal. Returns whether it has. */
bool history_retranslate(const struct history *h, const struct rtl_commit *c,
			 struct soc_translation *t);
/* Replaces what the model fetches by what the other machine fetched in the step `c`, if
 * that is different and legal. Returns whether it has. */
bool history_refetch(const struct history *h, const struct rtl_commit *c,
		     struct soc_fetched *f);

#endif
