/* SPDX-License-Identifier: Apache-2.0 */
/* Old contents of memory, and the search for a legal translation in them. */
#include "history.h"

#include <stdlib.h>

#include "lockstep.h"
#include "model/csr.h"
#include "model/satp.h"
#include "stream/insn.h"
#include "stream/mode.h"

enum {
	STORES = LOCKSTEP_STORES,
	CHAINS = 1 << 13,
	FENCES = 1 << 12,
	ROOTS = 64,
	MAX_TRIES = 20000, /* page-table walks per search */
	LEVELS = SV39_LEVELS,
	PTE_G = 32,
};

/* Events (stores, writes of satp) are numbered; event e is in stores[e % STORES] while it
 * is one of the last STORES. Events at addresses of the same hash form a chain. */
struct store {
	uint64_t address; /* of 8 bytes */
	uint64_t old;	  /* the value replaced */
	uint64_t before;  /* the previous event of its chain, plus 1; 0: none */
};

struct root {
	uint64_t satp, end; /* event at which satp was replaced */
};

/* sfence.vma with or without an address and an ASID. */
struct fence {
	uint64_t event; /* events before it */
	uint64_t address;
	uint32_t asid;
	bool one_address, one_asid;
};

struct history {
	const struct soc *soc;
	unsigned hart;
	uint64_t events;
	uint64_t fence_i; /* events before the last one */
	uint64_t full;	  /* events before the last sfence.vma of everything */
	uint64_t nfences;
	unsigned nroots;
	struct root roots[ROOTS];
	uint64_t chains[CHAINS]; /* last event, plus 1 */
	struct fence fences[FENCES];
	struct store stores[STORES];
};

struct history *history_new(const struct soc *soc, unsigned hart)
{
	struct history *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->soc = soc;
	h->hart = hart;
	return h;
}

void history_free(struct history *h)
{
	free(h);
}

static unsigned chain_of(uint64_t address)
{
	return (unsigned)((address >> 3 ^ address >> 16) % CHAINS);
}

void history_add(struct history *h, uint64_t address, uint64_t old)
{
	uint64_t *chain = &h->chains[chain_of(address)];

	h->stores[h->events % STORES] = (struct store){address, old, *chain};
	*chain = ++h->events;
}

void history_store(struct history *h, uint64_t address)
{
	uint64_t old;

	address &= ~UINT64_C(7);
	if (soc_read_physical(h->soc, address, &old, sizeof(old)))
		history_add(h, address, old);
}

void history_each(const struct history *h,
		  void (*take)(void *user, uint64_t address, uint64_t old), void *user)
{
	uint64_t first = h->events > STORES ? h->events - STORES : 0;
	uint64_t fence = h->fence_i < h->full ? h->fence_i : h->full;

	for (uint64_t i = first < fence ? fence : first; i < h->events; i++)
		if (h->stores[i % STORES].address != UINT64_MAX)
			take(user, h->stores[i % STORES].address,
			     h->stores[i % STORES].old);
}

void history_satp(struct history *h, uint64_t old)
{
	struct root *oldest = h->roots;
	unsigned i = 0;

	if (old >> 60 == 0)
		return;

	while (i < h->nroots && h->roots[i].satp != old)
		i++;
	if (i == h->nroots && i < ROOTS)
		h->nroots++;
	for (unsigned j = 0; i == ROOTS && j < ROOTS; j++)
		if (h->roots[j].end < oldest->end)
			oldest = &h->roots[j];
	*(i == ROOTS ? oldest : &h->roots[i]) = (struct root){old, h->events};
	/* A separate event, so that each fence is before or after it. */
	h->stores[h->events++ % STORES] = (struct store){.address = UINT64_MAX};
}

static void note_fence(struct history *h, const struct fence *fence)
{
	struct fence *f = &h->fences[h->nfences % FENCES];

	if (!fence->one_address && !fence->one_asid) {
		h->full = h->events;
		h->nfences = 0;
		h->nroots = 0;
		return;
	}
	/* A fence no longer recorded is assumed to have covered everything. */
	if (h->nfences >= FENCES)
		h->full = f->event;
	*f = *fence;
	f->event = h->events;
	h->nfences++;
}

static void note_sfence(struct history *h, uint32_t insn)
{
	unsigned rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31;
	const struct fence fence = {
	    .address = soc_x(h->soc, h->hart, rs1),
	    .asid = soc_x(h->soc, h->hart, rs2) & ((UINT32_C(1) << SOC_ASID_BITS) - 1),
	    .one_address = rs1 != 0,
	    .one_asid = rs2 != 0,
	};

	note_fence(h, &fence);
}

void history_system(struct history *h, uint32_t insn)
{
	if (tr_insn_is_fence_i(insn))
		h->fence_i = h->events;
	else if (tr_insn_is_sfence_vma(insn))
		note_sfence(h, insn);
}

/* A value of 8 bytes of memory: the current one (number 0) or an older one, from the
 * event after `begin` to `end`. find_held_value() returns false if none that old is known
 * or wanted. */
struct find_held_value {
	uint64_t value, begin, end;
};

static bool find_held_value(const struct history *h, uint64_t address, unsigned number,
			    uint64_t since, struct find_held_value *find_held_value)
{
	uint64_t at = h->chains[chain_of(address)];

	*find_held_value = (struct find_held_value){.end = UINT64_MAX};
	if (!soc_read_physical(h->soc, address, &find_held_value->value,
			       sizeof(find_held_value->value)))
		return false;
	for (;;) {
		/* Values replaced before `since` are no longer legal. */
		if (at == 0 || at - 1 < since || h->events - (at - 1) > STORES)
			return number == 0;
		const struct store *s = &h->stores[(at - 1) % STORES];
		if (s->address == address) {
			find_held_value->begin = at - 1;
			if (number-- == 0)
				return true;
			find_held_value->value = s->old;
			find_held_value->end = at - 1;
			find_held_value->begin = 0;
		}
		at = s->before;
	}
}

/* A page-table walk in which each level may read any value that memory held. */
struct search_history {
	const struct history *h;
	uint64_t root_end;
	unsigned choice[LEVELS];
	unsigned level;	 /* last level read; LEVELS: none */
	uint64_t oldest; /* end of the value that was replaced first */
	bool global, before_root_ended;
};

static bool read_past_entry(void *user, unsigned level, uint64_t address, uint64_t *pte)
{
	struct search_history *s = user;
	struct find_held_value entry;

	s->level = level;
	if (!find_held_value(s->h, address, s->choice[level], s->h->full, &entry))
		return false;
	if (entry.end < s->oldest)
		s->oldest = entry.end;
	if (entry.begin > s->root_end)
		s->before_root_ended = false;
	s->global |= (entry.value & PTE_G) != 0;
	*pte = entry.value;
	return true;
}

static bool fence_covers(const struct fence *f, const struct search_history *s,
			 uint64_t va, uint64_t asid)
{
	unsigned level = s->level == LEVELS ? 0 : s->level;

	if (f->one_address && (f->address ^ va) >> (12 + 9 * level) != 0)
		return false;
	return !f->one_asid || (!s->global && f->asid == asid);
}

/* Returns whether a cache may still hold the result of the search. */
static bool still_legal(const struct search_history *s, uint64_t va, uint64_t asid,
			bool foreign)
{
	const struct history *h = s->h;
	uint64_t known = h->nfences < FENCES ? h->nfences : FENCES;

	if (!s->before_root_ended || (foreign && !s->global) || s->oldest < h->full)
		return false;
	for (uint64_t i = 1; i <= known; i++) {
		const struct fence *f = &h->fences[(h->nfences - i) % FENCES];

		if (f->event <= s->oldest)
			return true;
		if (fence_covers(f, s, va, asid))
			return false;
	}
	return true;
}

/* Advances to the next combination of values. Returns false after the last one. */
static bool next_choice(struct search_history *s, bool found)
{
	if (s->level == LEVELS)
		return false;
	if (!found) {
		s->choice[s->level] = 0;
		if (++s->level == LEVELS)
			return false;
	}
	s->choice[s->level]++;
	return true;
}

/* Returns whether this is the result that the caller seeks. */
typedef bool accepts(const void *user, const struct soc_translation *t);

static bool search_root(const struct history *h, const struct root *root, uint64_t asid,
			struct soc_translation *t, accepts *wanted, const void *user)
{
	struct search_history s = {.h = h, .root_end = root->end};
	const struct soc_tables tables = {root->satp, &s, read_past_entry};
	bool foreign = satp_asid_of(root->satp) != asid, found;
	unsigned tries = 0;

	do {
		s.level = LEVELS;
		s.oldest = root->end;
		s.global = false;
		s.before_root_ended = true;
		found = soc_translate_by(h->soc, h->hart, &tables, t);
		if (found && still_legal(&s, t->address, asid, foreign) &&
		    wanted(user, t))
			return true;
	} while (next_choice(&s, found) && ++tries < MAX_TRIES);
	return false;
}

static bool search_history(const struct history *h, struct soc_translation *t,
			   accepts *wanted, const void *user)
{
	struct root now = {.end = UINT64_MAX};

	soc_csr(h->soc, h->hart, CSR_SATP, &now.satp);
	uint64_t asid = satp_asid_of(now.satp);
	if (search_root(h, &now, asid, t, wanted, user))
		return true;
	if (t->priv == TR_PRIV_M || satp_mode_of(now.satp) == SATP_BARE)
		return false;
	for (unsigned i = 0; i < h->nroots; i++)
		if (satp_mode_of(h->roots[i].satp) != SATP_BARE &&
		    search_root(h, &h->roots[i], asid, t, wanted, user))
			return true;
	return false;
}

static bool in_ram(const struct history *h, uint64_t address)
{
	uint8_t byte;

	return soc_read_physical(h->soc, address, &byte, 1);
}

struct wanted {
	const struct history *h;
	unsigned cause;
	uint64_t physical;
	uint16_t parcel;
};

static bool same_result(const void *user, const struct soc_translation *t)
{
	const struct wanted *w = user;
	bool access_fault = w->cause == 5 || w->cause == 7;

	if (access_fault && t->cause == 0 && !in_ram(w->h, t->physical))
		return true;
	return t->cause == w->cause && (t->cause || t->physical == w->physical);
}

bool history_translates(const struct history *h, struct soc_translation *t)
{
	struct wanted wanted = {h, t->cause, t->physical, 0};

	return search_history(h, t, same_result, &wanted);
}

/* Returns whether the other machine's trap concerns the address of this load or store. */
static bool is_fault_of(const struct rtl_commit *c, const struct soc_translation *t)
{
	bool store = t->kind == SOC_STORE;

	return (c->cause == (store ? 7 : 5) || c->cause == (store ? 15 : 13)) &&
	       c->value == t->address;
}

bool history_retranslate(const struct history *h, const struct rtl_commit *c,
			 struct soc_translation *t)
{
	struct soc_translation theirs = *t;
	uint64_t physical =
	    commit_copies(c) && t->kind == SOC_LOAD ? c->source : c->address;

	if (c->trap) {
		if (!is_fault_of(c, t) || t->cause == c->cause)
			return false;
		/* The fault may come from the bus, not from the translation. */
		if (t->cause == 0 && c->cause < 8 && !in_ram(h, t->physical))
			return false;
		theirs.cause = c->cause;
	} else {
		bool accesses = c->load || c->store || commit_fails_sc(c);

		if (!accesses || (t->cause == 0 && t->physical == physical))
			return false;
		theirs.cause = 0;
		theirs.physical = physical;
	}
	if (!history_translates(h, &theirs))
		return false;
	*t = theirs;
	return true;
}

static bool same_parcel(const void *user, const struct soc_translation *t)
{
	const struct wanted *w = user;
	unsigned shift = 8 * (t->physical & 7);
	struct find_held_value word;

	if (t->cause)
		return false;
	for (unsigned i = 0;
	     find_held_value(w->h, t->physical & ~UINT64_C(7), i, w->h->fence_i, &word);
	     i++)
		if ((uint16_t)(word.value >> shift) == w->parcel)
			return true;
	return false;
}

/* Returns whether the instruction at pc may be this one. */
static bool may_fetch_insn(const struct history *h, uint64_t pc, unsigned priv,
			   uint32_t insn)
{
	unsigned bytes = (insn & 3) == 3 ? 4 : 2;

	for (unsigned i = 0; i < bytes; i += 2) {
		struct wanted wanted = {.h = h, .parcel = (uint16_t)(insn >> (8 * i))};
		struct soc_translation t = {
		    .address = pc + i, .size = 2, .kind = SOC_FETCH, .priv = priv};

		if (!search_history(h, &t, same_parcel, &wanted))
			return false;
	}
	return true;
}

/* The other machine's fetch trapped at f->pc or, for an instruction that crosses pages,
 * behind it. */
static bool refetch_fault(const struct history *h, const struct rtl_commit *c,
			  struct soc_fetched *f)
{
	struct soc_translation t = {.address = c->value,
				    .size = 2,
				    .kind = SOC_FETCH,
				    .priv = c->priv,
				    .cause = c->cause};

	if (f->cause == c->cause && f->tval == c->value)
		return false;
	if ((c->value != f->pc && c->value != f->pc + 2) || !history_translates(h, &t))
		return false;
	f->cause = c->cause;
	f->tval = c->value;
	return true;
}

bool history_refetch(const struct history *h, const struct rtl_commit *c,
		     struct soc_fetched *f)
{
	uint32_t insn = c->insn;

	if (!c->trap && f->cause == 0 && f->insn == insn)
		return false;
	if (c->pc != f->pc)
		return false;
	if (c->trap && (c->cause == 1 || c->cause == 12))
		return refetch_fault(h, c, f);
	if (c->trap && c->cause == 2)
		insn = (uint32_t)c->value;
	else if (c->trap && insn == 0)
		return false; /* not known */
	if ((f->cause == 0 && f->insn == insn) ||
	    !may_fetch_insn(h, f->pc, c->priv, insn))
		return false;
	f->cause = 0;
	f->insn = insn;
	return true;
}
