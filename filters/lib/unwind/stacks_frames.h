/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a stack, and the traps among them. */
#ifndef TR_STACKS_FRAMES_H
#define TR_STACKS_FRAMES_H

#include "unwind/stacks_traps.h"

/* Odd, so never the target of a return. */
#define NO_RETURN TR_EPC_UNKNOWN

enum frame_kind { FRAME_ROOT, FRAME_FUNCTION, FRAME_TRAP, FRAME_SIGNAL };

/* An activation of a function or pseudo-function; it fills a cache line. Only
 * stacks_frames.c and the functions below use the members. */
struct frame {
	uint64_t sp; /* when it was pushed */
	union {
		uint64_t ret;	 /* return address, or NO_RETURN */
		uint64_t signal; /* FRAME_SIGNAL: the interrupted sp; 0: unknown */
	};
	uint64_t linked;  /* `ret` as an address in the file, if `binary` is known;
			   * FRAME_SIGNAL: the interrupted pc */
	uint64_t entered; /* the stack's clock in cycles */
	uint32_t binary;  /* of the caller */
	uint32_t node, sym;
	uint32_t leaf;	    /* of the frame below, at the call */
	uint32_t child_sym; /* most recent callee, and its node */
	uint32_t child_node;
	uint8_t kind;	   /* enum frame_kind */
	bool is_inside;	   /* called from within its own function: not shown */
	bool is_alternate; /* called through x5, so it may return with another sp */
	bool has_setjmp;   /* it has called setjmp() or a similar function */
	bool passes;	   /* jumped to with a pending write of sp, of which it is part */
};

/* A function of an interpreted language on top of the C function that interprets it, or
 * of other such functions. */
struct virtual_frame {
	uint64_t id; /* as probes tell it */
	uint32_t sym;
	uint32_t node, below; /* its node, and the one that it is on */
	uint32_t frame; /* number of the C function's frame, which has the node of the
			 * newest one */
};

/* The frames from the oldest on, and the traps and virtual frames in the order of their
 * frames. Virtual frames of frames that are gone may still be there: then the frame with
 * their number does not have their node. Only stacks_frames.c and the functions below use
 * the members. All 0 is empty. */
struct frames {
	struct frame *all;
	struct trap *traps;
	struct virtual_frame *virtuals;
	uint32_t nvirtuals, virtual_capacity;
	uint32_t depth, capacity, ntraps, trap_capacity;
	uint64_t deep; /* sp at the first call beyond the depth limit, or 0 */
};

static inline uint64_t frame_sp(const struct frame *f)
{
	return f->sp;
}
static inline uint32_t frame_node(const struct frame *f)
{
	return f->node;
}
static inline uint32_t frame_sym(const struct frame *f)
{
	return f->sym;
}
static inline uint8_t frame_kind(const struct frame *f)
{
	return f->kind;
}
/* Returns true for a function's frame, false for another one or NULL. */
static inline bool frame_is_function(const struct frame *f)
{
	return f && f->kind == FRAME_FUNCTION;
}
/* Returns true if the frame's function returns to the place. */
static inline bool frame_returns_to(const struct frame *f, const struct place *place)
{
	return f->kind == FRAME_FUNCTION &&
	       (f->ret == place->pc ||
		(f->binary == place->binary && f->linked == place->address &&
		 f->binary < TR_NOTE_AMBIGUOUS && f->ret != NO_RETURN));
}
/* Returns where a return from this frame leads, NO_RETURN if it is no function's or NULL.
 */
static inline uint64_t frame_return_address(const struct frame *f)
{
	return frame_is_function(f) ? f->ret : NO_RETURN;
}
/* Return the binary of the caller, and the return address in its file if it is known. */
static inline uint32_t frame_caller(const struct frame *f)
{
	return f->binary;
}
static inline uint64_t frame_linked_address(const struct frame *f)
{
	return f->linked;
}
/* Returns true if its function may return with another sp, as it was called through x5.
 */
static inline bool frame_is_alternate(const struct frame *f)
{
	return f->is_alternate;
}
static inline bool frame_has_setjmp(const struct frame *f)
{
	return f->has_setjmp;
}
/* Of a signal: the interrupted sp, 0 if unknown, and pc. */
static inline uint64_t frame_interrupted_sp(const struct frame *f)
{
	return f->signal;
}
static inline uint64_t frame_interrupted_pc(const struct frame *f)
{
	return f->linked;
}
/* Its function was jumped to with a pending write of sp, of which it is part. */
static inline void frame_set_passing(struct frame *f)
{
	f->passes = true;
}
static inline bool frame_is_passing(const struct frame *f)
{
	return f->passes;
}

static inline uint32_t frames_depth(const struct frames *all)
{
	return all->depth;
}
static inline uint32_t frames_trap_count(const struct frames *all)
{
	return all->ntraps;
}
/* Returns a frame, which is valid until the next one is pushed. */
static inline struct frame *frames_nth(const struct frames *all, uint32_t nth)
{
	return &all->all[nth];
}
static inline struct trap *frames_nth_trap(const struct frames *all, uint32_t nth)
{
	return &all->traps[nth];
}
/* Drops the frame on top, which is a function's that no trap belongs to, and not beyond
 * the depth limit. */
static inline void frames_pop(struct frames *all)
{
	all->depth--;
}
/* Returns sp at the first call beyond the depth limit, or 0. */
static inline uint64_t frames_deep_sp(const struct frames *all)
{
	return all->deep;
}
/* The calls beyond the limit have returned. */
static inline void frames_end_deep(struct frames *all)
{
	all->deep = 0;
}
/* Drops all but `depth` frames. */
void tr_frames_drop(struct frames *all, uint32_t depth);
/* Appends the frames of another list, without traps. Returns false, after unwind_fail(),
 * when out of memory. */
bool tr_frames_copy(struct unwind_status *status, struct frames *to,
		    const struct frames *from);
void tr_frames_free(struct frames *all);
/* Returns the memory that is allocated, in frames. */
uint64_t tr_frames_room(const struct frames *all);
/* Set sp of all frames but a root, or add to it modulo 2^64. */
void tr_frames_set_sp(struct frames *all, uint64_t sp);
void tr_frames_add_sp(struct frames *all, uint64_t bytes);

static inline uint32_t frames_virtual_count(const struct frames *all)
{
	return all->nvirtuals;
}
static inline const struct virtual_frame *frames_virtual(const struct frames *all,
							 uint32_t nth)
{
	return &all->virtuals[nth];
}

/* ------------------------------------------------------------ searches */

/* Returns the newest frame at sp that returns to the place, or the depth. */
uint32_t tr_frames_find_return(const struct frames *all, uint64_t sp,
			       const struct place *place);
/* Returns the newest activation of the function at the place among the first `depth`
 * frames, if all frames above it were called at sp; else the depth of all. */
uint32_t tr_frames_find_function(const struct frames *all, uint32_t depth, uint64_t sp,
				 const struct place *place);
/* Returns the newest activation of the function below traps that came at sp, as for a
 * longjmp() out of their handlers; else the depth. */
uint32_t tr_frames_find_interrupted(const struct frames *all, uint64_t sp,
				    const struct place *place);
/* Returns true if a frame at sp returns to the place, or a trap, *trap, within the
 * privilege does with this sp; *trap is NULL otherwise. */
bool tr_frames_go_on(const struct frames *all, uint8_t priv, uint64_t sp,
		     const struct place *place, const struct trap **trap);
/* Returns the number of frames without those on top that were called at sp or below. */
uint32_t tr_frames_count_above(const struct frames *all, uint64_t sp);

/* ------------------------------------------------------------ changes */

/* These may call unwind_fail(). All but those that are told a stack change the hart's. */
/* Makes the root of a stack's thread its only frame. Returns false when out of memory. */
bool tr_frames_set_root(struct tr_unwind *u, struct stack *s, uint32_t sym,
			uint32_t node);
/* Pushes a function that returns to `ret`, called by hart_from() unless `ret` is
 * NO_RETURN. `is_inside`: it was called from within itself, and is not shown again. */
void tr_frames_push(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t ret,
		    bool is_inside);
void tr_frames_push_trap(struct tr_unwind *u, struct hart *h, const struct trap *trap);
/* Pushes a signal that interrupted the code on top at `sp` and `pc`. */
void tr_frames_push_signal(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t sp,
			   uint64_t pc);
/* Replaces the function on top. */
void tr_frames_rename(struct tr_unwind *u, struct hart *h, uint32_t sym);
/* Replaces the symbol of the root at the bottom of a stack, and with it all nodes. */
void tr_frames_rename_root(struct tr_unwind *u, struct stack *s, uint32_t sym);
/* Moves the newest trap of the hart's stack, with the frames above it, to the empty stack
 * `to`, which will stand on the hart's. */
void tr_frames_move_trap(struct tr_unwind *u, struct hart *h, struct stack *to);
/* Moves the trap at the bottom of a stack back to the stack below it. */
void tr_frames_move_trap_back(struct tr_unwind *u, struct stack *s);
/* Frame `i` was left with another sp than on entry: counts its cycles and those above it
 * as doubtful. */
void tr_frames_doubt(struct tr_unwind *u, struct hart *h, struct stack *s, uint32_t i);
/* Drops the virtual frames whose frames are gone, of the newest frame, `frame`, and
 * others. Call before the functions below. */
void tr_frames_drop_left_virtuals(struct frames *all, uint32_t frame);
/* Pushes a virtual frame on the newest frame, made->frame. Its nodes are set. Returns
 * false if it is not shown: a limit is reached, or memory runs out. */
bool tr_frames_add_virtual(struct tr_unwind *u, struct frames *all,
			   const struct virtual_frame *made);
/* Drops all but the first `count` virtual frames, all of which are of the newest frame.
 */
void tr_frames_end_virtuals(struct frames *all, uint32_t count);
/* Replaces references to nodes of held roots that have become known. */
void tr_frames_settle_nodes(struct tr_unwind *u, struct frames *all);

#endif
