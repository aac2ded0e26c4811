/* SPDX-License-Identifier: Apache-2.0 */
/* A hart: its context, where it is in its part of the frame, the block that ran last, sp,
 * and the frame on top of its stack, to which the following rows are charged. Times are
 * in cycles since the beginning of the trace. */
#ifndef TR_UNWIND_HART_H
#define TR_UNWIND_HART_H

#include "stream/reader.h"
#include "unwind/stacks_traps.h"
#include "unwind/unwind_queue.h"

/* The output row under construction. */
struct pending_row {
	struct tr_srow out;
	uint64_t classes[TR_MAX_CLASSES];
	uint32_t class_mask;
	uint32_t sym;
	bool open;
	bool has_context; /* one was written */
	uint32_t process; /* process and privilege of the last context written */
	uint8_t priv;
	uint8_t triggers; /* for the next context */
};

/* A hart's state of unwind_rows.c and unwind_tell.c, which alone use the members. */
struct hart_rows {
	struct pending_row row;
	struct tr_unwind_where where; /* of the next row, if queue_is_watched() */
	struct segment *leaves;	      /* leaves on the current frame; NULL: none */
	const struct tr_hit *hits[TR_UNWIND_HITS]; /* at the next row */
	uint32_t nhits;
	uint64_t near_bias;   /* of the last code in a known file: pc minus address */
	uint32_t near_binary; /* index of that file */
};

/* A hart's state of stacks_threads.c, which alone uses the members. */
struct hart_threads {
	uint64_t tp;	/* WROTE_TP: of the previous thread */
	uint32_t apart; /* ordinal of the hart's threads that share their names with
			 * another one's; 0: none yet */
};

/* A hart's state of stacks*.c. Only the functions of stacks_hart.h use the members, but
 * for `threads`, and `knows_sp`, which is of stacks_events.c. */
struct hart_stacks {
	struct hart_threads threads;
	struct stack *stack;
	uint64_t since; /* the hart's cycle when it entered the stack */
	struct pending pending;
	struct trap returned;
	uint32_t overlay;
	uint32_t state;		/* enum stacks_state */
	uint64_t doubted_since; /* doubtful cycles are counted up to this time */
	uint32_t binary;	/* of user code, if satp is not reported; or
				 * TR_NOTE_UNKNOWN */
	uint8_t xret_priv;	/* privilege before the latest xret */
	uint8_t reported_priv;	/* as reported by the source */
	bool knows_sp;		/* a value of sp was reported */
};

/* Target of the following charges. */
struct here {
	uint32_t node;	  /* of the top frame */
	uint32_t sym;	  /* of the top frame */
	uint32_t top;	  /* the running function; SYM_NONE: ask at the next row */
	uint32_t thread;  /* id in the output */
	uint32_t process; /* 0: none or unknown */
};

/* Only unwind_hart.c and the functions below use the members; `rows` and `stacks` as
 * said there. */
struct hart {
	struct tr_context context;
	struct tr_context notes; /* as reported by the source, for the notes */
	const struct pair *from; /* the previous block; never NULL */
	struct pair held;	 /* copy of a pair that was freed */
	struct here here;
	struct hart_rows rows;
	uint64_t sp; /* if known */
	uint32_t number;
	bool fresh; /* the top frame is new and has not been charged */
	/* Position in the frame. */
	const struct tr_hart_frame *part;
	uint64_t cycle;
	uint32_t next_row, next_event;
	struct hart_stacks stacks;
};

/* Returns a new hart, after which nothing is known of its code, to be freed by free();
 * NULL when out of memory. */
struct hart *tr_hart_new(uint32_t number);
static inline uint32_t hart_number(const struct hart *h)
{
	return h->number;
}
/* Keeps the last pair valid: see tr_pairs_pin(). */
void tr_hart_pin(struct hart *h, struct tr_pairs *pairs);

/* ------------------------------------------------------------ context */

/* Returns the context, which is in force for the next row. */
static inline const struct tr_context *hart_context(const struct hart *h)
{
	return &h->context;
}
static inline uint8_t hart_priv(const struct hart *h)
{
	return h->context.priv;
}
/* Sets the privilege mode, which no event has reported. */
static inline void hart_set_priv(struct hart *h, uint8_t priv)
{
	h->context.priv = priv;
}
/* Applies an event to the context. */
void tr_hart_apply(struct hart *h, const struct tr_event *event);
/* Applies it to the source's own context, on which notes depend. */
void tr_hart_apply_note(struct hart *h, const struct tr_event *event);
/* The space that was reported is of no use. */
void tr_hart_forget_space(struct hart *h);
/* Returns the context as the source reports it. */
static inline const struct tr_context *hart_notes(const struct hart *h)
{
	return &h->notes;
}
/* Returns the space of notes that applies to a hart. */
static inline uint32_t hart_space(const struct hart *h)
{
	return tr_note_space(&h->notes);
}

/* ------------------------------------------------------------ position */

/* Begins the hart's part of a frame, which stays valid until it ends. Of what the source
 * does not report, the privilege stays and the spaces are 0. */
void tr_hart_begin_part(struct hart *h, const struct tr_unwind_options *options,
			const struct tr_hart_frame *part);
static inline const struct tr_hart_frame *hart_part(const struct hart *h)
{
	return h->part;
}
/* Return the numbers of the next row and event in the part. */
static inline uint32_t hart_next_row(const struct hart *h)
{
	return h->next_row;
}
static inline uint32_t hart_next_event(const struct hart *h)
{
	return h->next_event;
}
static inline void hart_set_next_row(struct hart *h, uint32_t row)
{
	h->next_row = row;
}
static inline void hart_pass_event(struct hart *h)
{
	h->next_event++;
}
/* Returns the time now. */
static inline uint64_t hart_cycle(const struct hart *h)
{
	return h->cycle;
}
static inline void hart_pass_cycles(struct hart *h, uint64_t cycles)
{
	h->cycle += cycles;
}

/* ------------------------------------------------------------ control flow and sp */

/* Returns the previous block, never NULL. */
static inline const struct pair *hart_from(const struct hart *h)
{
	return h->from;
}
static inline void hart_set_from(struct hart *h, const struct pair *from)
{
	h->from = from;
}
/* Makes a copy of `from` the previous block. */
static inline void hart_hold_from(struct hart *h, const struct pair *from)
{
	h->held = *from;
	h->from = &h->held;
}
/* Returns true if the previous block is such a copy, or was forgotten. */
static inline bool hart_holds_from(const struct hart *h)
{
	return h->from == &h->held;
}
/* Forgets the previous block; keeps its control-flow kind (FLOW_*). */
void tr_flow_set(struct hart *h, uint8_t flow, uint64_t next_pc);

/* sp, as stack_address() stands for it, or made up; 0: unknown. */
static inline uint64_t hart_sp(const struct hart *h)
{
	return h->sp;
}
static inline void hart_set_sp(struct hart *h, uint64_t sp)
{
	h->sp = sp;
}
static inline void hart_add_sp(struct hart *h, uint64_t bytes)
{
	h->sp += bytes;
}

/* ------------------------------------------------------------ target of charges */

/* The top frame is new, so that its next charge begins it, or is not. */
static inline bool hart_is_fresh(const struct hart *h)
{
	return h->fresh;
}
static inline void hart_set_fresh(struct hart *h, bool is_fresh)
{
	h->fresh = is_fresh;
}
static inline uint32_t hart_node(const struct hart *h)
{
	return h->here.node;
}
static inline uint32_t hart_sym(const struct hart *h)
{
	return h->here.sym;
}
/* Returns the running function; SYM_NONE: ask at the next row. */
static inline uint32_t hart_top(const struct hart *h)
{
	return h->here.top;
}
static inline uint32_t hart_thread(const struct hart *h)
{
	return h->here.thread;
}
static inline uint32_t hart_process(const struct hart *h)
{
	return h->here.process;
}
/* Sets the frame on top, in the same thread; `top`: as hart_top() returns it. */
static inline void hart_show_frame(struct hart *h, uint32_t node, uint32_t sym,
				   uint32_t top)
{
	h->here.node = node;
	h->here.sym = sym;
	h->here.top = top;
}
/* Sets the thread, without a frame. */
static inline void hart_show_thread(struct hart *h, uint32_t thread, uint32_t process)
{
	h->here = (struct here){.top = SYM_NONE, .thread = thread, .process = process};
}
/* Replaces the node of the frame on top. */
static inline void hart_set_node(struct hart *h, uint32_t node)
{
	h->here.node = node;
}

#endif
