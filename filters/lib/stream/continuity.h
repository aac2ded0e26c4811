/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each row of a hart can follow the one before.
 *
 * A committed instruction has few possible successors: the next address, its own target,
 * a trap handler, or where a trap return leads (unprivileged specification 2.5,
 * privileged specification 3.3.2). A row that is none of them, without an event that
 * explains it, is a break: the source lost, mixed or reordered instructions, or its
 * contents are not those that its header declares.
 *
 * A source that reports no traps (header key cannot_supply=traps) leaves them without an
 * event. They are recognised by their few handlers: an address that such jumps lead to is
 * a handler if trap returns lead back to where they left. Until the first return only a
 * few addresses can be handlers, and jumps to one that never returns are breaks in the
 * end. */
#ifndef TR_CONTINUITY_H
#define TR_CONTINUITY_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"

/* Where control can go from a block, and where the block begins. Addresses are even;
 * TR_EXIT_ANY in `next` means anywhere. */
struct tr_exits {
	uint64_t pc;	 /* of the first instruction; odd if the block cannot commit */
	uint64_t last;	 /* of the last instruction */
	uint64_t next;	 /* after it in order, or its only target */
	uint64_t target; /* of a taken branch; else equal to `next` */
};
#define TR_EXIT_ANY UINT64_C(1)
/* In `target`, with TR_EXIT_ANY: a return from a trap, also where no event reports it. */
#define TR_EXIT_XRET UINT64_C(3)

/* Returns the exits of a block, by an isa as in stream/isa.h. A block that contains the
 * instruction 0, which is defined as illegal, cannot commit. */
struct tr_exits tr_block_exits(const struct tr_block *block, unsigned isa);

enum {
	TR_CONTINUITY_HANDLERS = 32, /* that are remembered */
	TR_CONTINUITY_UNPROVEN = 4,  /* of them, without a return so far */
	TR_CONTINUITY_JUMPS = 16,    /* to a handler for each return, at most */
	TR_CONTINUITY_OPEN = 32,     /* traps that have not returned */
	TR_CONTINUITY_LAST = 64,     /* checks after a last trap, at most */
	TR_CONTINUITY_NEAR = 16,     /* bytes: so near, lost lines are likelier */
};

/* The state of a hart. All zero, but for `infers_traps`, is before its first row. */
struct tr_continuity {
	uint64_t next, target; /* of the last row, unless `explained` */
	uint64_t last;	       /* address of the last instruction; 0: none */
	uint64_t first;	       /* that of the first row, to which a reset leads */
	bool explained;	       /* an event since the last row allows any address */
	bool reported;	       /* a BREAK event is one of them */
	bool only_reported;    /* and the only one: handlers are found as without it */
	bool begun;
	/* For sources without traps */
	bool infers_traps;
	struct tr_handler {
		uint64_t pc, jumps, returns;
		uint64_t from; /* where its first jump came from */
	} handlers[TR_CONTINUITY_HANDLERS];
	struct tr_open_trap {
		uint64_t next, target; /* where it may return to */
		uint32_t handler;      /* TR_CONTINUITY_HANDLERS: an event reported it */
	} open[TR_CONTINUITY_OPEN];
	uint32_t nhandlers, nunproven, nopen;
	uint32_t latest; /* 1 + handler of the last jump, if that may be a last trap */
	uint64_t checks; /* transfers that took the slow path, so far */
	uint64_t latest_check; /* at the last jump */
};

/* Takes note of an event of the hart. Returns false for a trap whose epc is known and not
 * where control could be: a break before the trap. */
bool tr_continuity_event(struct tr_continuity *c, const struct tr_event *event);

/* For a source that recognises unreported traps itself. tr_continuity_jump(): control
 * went to `pc`, though the instruction at `last` leads to `next` or `target`; returns
 * true if that can be a trap to a handler. tr_continuity_return(): a trap return led to
 * `pc`. */
bool tr_continuity_jump(struct tr_continuity *c, uint64_t next, uint64_t target,
			uint64_t pc);
void tr_continuity_return(struct tr_continuity *c, uint64_t pc);
/* Returns true for a handler of unreported traps, if one has returned from it. */
bool tr_continuity_is_handler(const struct tr_continuity *c, uint64_t pc);

/* Slow path of tr_continuity_row(). */
bool tr_continuity_check(struct tr_continuity *c, const struct tr_exits *row);

/* Takes the next row of the hart. Returns false for a break before the row, or in a row
 * that cannot commit. */
static inline bool tr_continuity_row(struct tr_continuity *c, const struct tr_exits *row)
{
	bool follows = !c->explained && (row->pc == c->next || row->pc == c->target);
	if (!follows)
		follows = tr_continuity_check(c, row);
	c->last = row->last;
	c->next = row->next;
	c->target = row->target;
	return follows;
}

/* Returns, after the hart's last row, how many jumps to handler `i` were taken for traps,
 * though it never returned: breaks, too, from its first jump on. A run may end in one
 * trap, soon after it, if the handler is not next to where it was taken. */
struct tr_break tr_continuity_rest(const struct tr_continuity *c, uint32_t i);

#endif
