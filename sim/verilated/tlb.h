/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulator knows of the data TLB of a hart (u_dtlb of rtl/hart/hart.sv), which
 * is direct-mapped: the page that each entry gives, and the page-table entries from which
 * it was filled. When one of these is written, the entry is old, and remains in use until
 * sfence.vma. A replay follows the tables in memory, so the trace records the accesses by
 * old entries.
 *
 * Entries that have been flushed count as well: they are filled again before the next
 * use. A write to a page from which they were filled forgets them, so that a page that
 * has page tables no longer is like any other from then on. */
#ifndef VERILATED_TLB_H
#define VERILATED_TLB_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "model/satp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TLB_ENTRIES = 64, TLB_LEVELS = SV39_LEVELS, TLB_FILTER = 1024 };

/* Why the uses of an entry are watched: its page has page-table entries from which some
 * TLB was filled; or the entry is old. */
enum { TLB_TABLE = 1, TLB_OLD = 2 };

struct tlb {
	struct tlb *next;      /* the next hart's; of the last one: the first's */
	const uint64_t *valid; /* of the hardware: the entries in use, a bit each */
	uint8_t watch[TLB_ENTRIES + 1]; /* the last is of no entry: 0 */
	uint64_t tables, old;		/* those with these in `watch`, a bit each */
	uint8_t levels[TLB_ENTRIES];	/* entries of `path` */
	uint64_t page[TLB_ENTRIES];	/* its number */
	uint64_t path[TLB_ENTRIES][TLB_LEVELS];
	uint64_t filter[TLB_FILTER / 64]; /* pages of all paths, by their low bits */

	/* The walk for the instruction in M. */
	bool copies; /* the machine has the copy unit */
	bool walks;
	bool raced; /* a page-table entry was written since it was read */
	uint8_t set, nwalk;
	uint64_t va, walk[TLB_LEVELS];

	/* The instruction in M: the entries that it uses, of a copy those of source and
	 * destination; and whether one of them is watched. With a window, of the
	 * current token; and whether some hart's tokens are. Some hart's accesses are to
	 * physical addresses. */
	bool has_window, is_physical;
	uint8_t uses[2];
	bool watched;
	bool alert; /* `copies`, `walks` or `watched` */
};

static inline unsigned tlb_set(uint64_t address)
{
	return (unsigned)(address >> 12) & (TLB_ENTRIES - 1);
}

/* With a window: returns whether an entry that is watched may be used, or is old. */
static inline bool tlb_is_watched(const struct tlb *t)
{
	return (t->old | (t->is_physical ? t->tables : t->tables & *t->valid)) != 0;
}
/* Returns an entry that gives this physical page and whose uses are watched, an old one
 * if there is one, or TLB_ENTRIES. */
unsigned tlb_find(const struct tlb *t, uint64_t address);
/* With a window: returns whether an access to this physical address by the current token
 * may use an entry that is watched or, if it stores, be to a page with page tables. With
 * several harts any may: the entries of the others change in the same cycle. */
bool tlb_concerns(const struct tlb *t, uint64_t address, bool stores);

/* The walk has filled its entry, with the page of this number. */
void tlb_fill(struct tlb *t, uint64_t page);
/* Memory was written: the entries of all harts that come from there are old. Returns
 * whether the page may have page tables. */
bool tlb_written(struct tlb *t, uint64_t address, uint64_t size);
/* The same, by a store that used entry uses[1]. */
void tlb_stored(struct tlb *t, uint64_t address, uint64_t size);

/* What tlb_switch() asks of the machine: whether an entry is used with this ASID; and 8
 * bytes of memory, false outside of it. */
struct tlb_machine {
	void *user;
	bool (*serves)(void *user, unsigned entry, unsigned asid);
	bool (*read)(void *user, uint64_t address, uint64_t *value);
};
/* satp was written. Entries of the same ASID, and of global pages, remain in use: they
 * are old unless the new root has the same table for them, from which they come then. */
void tlb_switch(struct tlb *t, uint64_t satp, const struct tlb_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
