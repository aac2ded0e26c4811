/* SPDX-License-Identifier: Apache-2.0 */
/* Traps: what they interrupted, and returns from them. */
#ifndef TR_STACKS_TRAPS_H
#define TR_STACKS_TRAPS_H

#include "stream/insn.h"
#include "unwind/unwind_pairs.h"
#include "unwind/unwind_pending.h"

struct hart;
struct stack;
struct tr_unwind;

/* A trap that has not returned. It belongs to a frame. Only stacks_traps.c and the
 * functions below use the members. */
struct trap {
	uint64_t sp, epc, satp; /* of the interrupted code */
	uint64_t taken;		/* the stack's clock in cycles */
	uint64_t other;		/* alternative to epc for resuming, or 0 */
	uint64_t hgatp;		/* of the interrupted guest, or 0 */
	struct pair held;	/* the interrupted block, if its transfer was not
				 * settled */
	struct pending pending;
	uint32_t frame; /* index on its stack */
	uint32_t sym, leaf;
	uint32_t overlay, state; /* of the interrupted hart */
	uint8_t from, priv;	 /* interrupted privilege, and the one entered */
	bool is_interrupt;
	bool is_inferred; /* the epc, from what it came after */
	bool is_fresh;	  /* the function's entry had not run yet */
};

static inline uint64_t trap_sp(const struct trap *t)
{
	return t->sp;
}
static inline uint64_t trap_epc(const struct trap *t)
{
	return t->epc;
}
/* Returns the address space of the interrupted code. */
static inline struct tr_space_id trap_space(const struct trap *t)
{
	struct tr_space_id id = {.satp = t->satp, .hgatp = t->hgatp};
	return id;
}
/* Returns the interrupted privilege, and the one that was entered. */
static inline uint8_t trap_from(const struct trap *t)
{
	return t->from;
}
static inline uint8_t trap_priv(const struct trap *t)
{
	return t->priv;
}
/* Returns true if a write of sp was pending. */
bool tr_trap_has_pending(const struct trap *t);
/* The symbol of the trap, and the leaf below it. */
static inline uint32_t trap_sym(const struct trap *t)
{
	return t->sym;
}
static inline uint32_t trap_leaf(const struct trap *t)
{
	return t->leaf;
}
static inline void trap_rename(struct trap *t, uint32_t sym)
{
	t->sym = sym;
}
/* Returns the index of its frame. */
static inline uint32_t trap_frame(const struct trap *t)
{
	return t->frame;
}
/* Moves it to another frame. */
static inline void trap_set_frame(struct trap *t, uint32_t frame)
{
	t->frame = frame;
}
/* It is taken at this time of the stack's clock, and becomes this frame of the stack. */
static inline void trap_take(struct trap *t, uint32_t frame, uint64_t clock)
{
	t->frame = frame;
	t->taken = clock;
}
/* An unreported trap may also return to `other`, if that is not 0. */
static inline void trap_set_other(struct trap *t, uint64_t other)
{
	t->other = other;
}
/* It was meant for this privilege. */
static inline void trap_set_priv(struct trap *t, uint8_t priv)
{
	t->priv = priv;
}
/* Returns true if the trap can return to pc. */
static inline bool trap_is_back(const struct trap *t, uint64_t pc)
{
	return pc - t->epc <= TR_INSN_MAX_BYTES || (t->other && pc == t->other);
}
/* Returns true if a trap within the privilege `priv` returns to the place with this sp.
 */
bool tr_trap_goes_on(const struct trap *t, uint8_t priv, uint64_t sp,
		     const struct place *place);

static inline unsigned priv_rank(uint8_t priv)
{
	return tr_mode_of(priv).nominal;
}

void tr_traps_take(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
void tr_traps_xret(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Returns the hart to the interrupted code; the next landing settles the rest. */
void tr_traps_leave(struct tr_unwind *u, struct hart *h, struct stack *s,
		    const struct trap *trap);
/* Hands the returned trap on to the hart's current privilege. */
void tr_traps_hand_on(struct tr_unwind *u, struct hart *h);
/* Returns the hart to the trap of its stack whose interrupted code continues at the
 * place. Returns false if none does. */
bool tr_traps_resume(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Lands on the first instruction of a handler or after an xret. Returns true if the
 * landing is complete. */
bool tr_traps_land(struct tr_unwind *u, struct hart *h, const struct place *place);

#endif
