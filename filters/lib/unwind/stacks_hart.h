/* SPDX-License-Identifier: Apache-2.0 */
/* What the tracking of stacks keeps of a hart: its stack, and the conditions to settle at
 * the next landing. */
#ifndef TR_STACKS_HART_H
#define TR_STACKS_HART_H

#include "unwind/unwind_hart.h"

/* Conditions to settle at the next landing; most often none. */
enum stacks_state {
	HAS_PENDING = 1,    /* a write of sp: see hart_pending() */
	HAS_RETURNED = 2,   /* an xret from the trap hart_returned() */
	IS_ELSEWHERE = 4,   /* … but not with the interrupted sp */
	IS_CHILD = 8,	    /* an xret to a place that no trap came from */
	HAS_TRAPPED = 16,   /* a trap handler comes next */
	IS_ADRIFT = 32,	    /* the preceding code is unknown: a gap, or the start */
	HAS_OVERLAY = 64,   /* unnamed code that was not called runs: hart_overlay() */
	WROTE_TP = 128,	    /* in a kernel, and no control transfer since */
	HAS_XRET = 256,	    /* sp is inferred: an xret whose trap follows from its
			     * target */
	HAS_ARRIVED = 512,  /* on a stack that was not left with this sp */
	HAS_CROSSED = 1024, /* an xret within a privilege, with a pending write of sp */
};

/* The hart begins, adrift. */
void tr_tracking_begin(struct hart *h);

/* Returns the conditions that apply of these. */
static inline uint32_t state_has(const struct hart *h, uint32_t conditions)
{
	return h->stacks.state & conditions;
}
static inline bool state_is_any(const struct hart *h)
{
	return h->stacks.state;
}
static inline void state_add(struct hart *h, uint32_t conditions)
{
	h->stacks.state |= conditions;
}
static inline void state_drop(struct hart *h, uint32_t conditions)
{
	h->stacks.state &= ~conditions;
}
/* Only these apply from now on. */
static inline void state_replace(struct hart *h, uint32_t conditions)
{
	h->stacks.state = conditions;
}

/* Returns the stack that the hart is on; NULL before its first part of a frame. */
static inline struct stack *hart_stack(const struct hart *h)
{
	return h->stacks.stack;
}
/* The hart begins on this stack. */
static inline void hart_begin_on(struct hart *h, struct stack *s)
{
	h->stacks.stack = s;
}
/* The hart goes to another stack now. */
static inline void hart_enter_stack(struct hart *h, struct stack *s)
{
	h->stacks.since = hart_cycle(h);
	h->stacks.stack = s;
}
/* Returns the cycles since it has done so. */
static inline uint64_t hart_stack_cycles(const struct hart *h)
{
	return hart_cycle(h) - h->stacks.since;
}

/* Returns the write of sp. HAS_PENDING: it is not settled; else only
 * pending_before() means something: sp at the last settling. */
static inline struct pending *hart_pending(struct hart *h)
{
	return &h->stacks.pending;
}
static inline const struct pending *hart_last_write(const struct hart *h)
{
	return &h->stacks.pending;
}
/* Returns sp before it. */
static inline uint64_t hart_sp_before(const struct hart *h)
{
	return pending_before(&h->stacks.pending);
}

/* HAS_RETURNED: the trap that has returned. */
static inline const struct trap *hart_returned(const struct hart *h)
{
	return &h->stacks.returned;
}
static inline void hart_set_returned(struct hart *h, const struct trap *trap)
{
	h->stacks.returned = *trap;
}

/* HAS_OVERLAY: the symbol of unnamed code. */
static inline uint32_t hart_overlay(const struct hart *h)
{
	return h->stacks.overlay;
}
static inline void hart_set_overlay(struct hart *h, uint32_t sym)
{
	h->stacks.overlay = sym;
}

/* The binary of user code, for sources that do not report satp; or TR_NOTE_UNKNOWN. */
static inline uint32_t hart_binary(const struct hart *h)
{
	return h->stacks.binary;
}
static inline void hart_set_binary(struct hart *h, uint32_t binary)
{
	h->stacks.binary = binary;
}

/* The privilege before the latest xret. */
static inline uint8_t hart_xret_priv(const struct hart *h)
{
	return h->stacks.xret_priv;
}
static inline void hart_set_xret_priv(struct hart *h, uint8_t priv)
{
	h->stacks.xret_priv = priv;
}
/* The privilege as the source reports it, which the context follows at the next row. */
static inline uint8_t hart_reported_priv(const struct hart *h)
{
	return h->stacks.reported_priv;
}
static inline void hart_report_priv(struct hart *h, uint8_t priv)
{
	h->stacks.reported_priv = priv;
}

/* Returns the cycles since this was last called: those that are in doubt together. */
uint64_t tr_tracking_lap(struct hart *h);

#endif
