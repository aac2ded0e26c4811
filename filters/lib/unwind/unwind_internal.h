/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the unwinder; only they include it.
 *
 * Symbols number everything that can be on a stack: a function, a program, a trap,
 * unknown code. Execution is charged to a node, which is a path of symbols from a root.
 * stacks*.c choose the node from control transfers and events; the other files classify
 * blocks, name functions and charge rows. */
#ifndef TR_UNWIND_INTERNAL_H
#define TR_UNWIND_INTERNAL_H

#include "unwind/unwind_queue.h"
#include "unwind/unwind_shells.h"
#include "unwind/unwind_spans.h"

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

/* A hart's state of unwind_rows.c, which alone uses the members. */
struct hart_rows {
	struct pending_row row;
	struct tr_unwind_where where; /* of the next row, if queue_is_watched() */
	struct segment *leaves;	      /* leaves on the current frame; NULL: none */
	uint64_t near_bias;   /* of the last code in a known file: pc minus address */
	uint32_t near_binary; /* index of that file */
};

/* Target of the following charges; stacks*.c update it. */
struct here {
	uint32_t node;	  /* of the top frame */
	uint32_t sym;	  /* of the top frame */
	uint32_t top;	  /* the running function; SYM_NONE: ask at the next row */
	uint32_t thread;  /* id in the output */
	uint32_t process; /* 0: none or unknown */
};

/* A hart; struct stacks_hart extends it. */
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
};

/* Only unwind_rows.c uses the members. */
struct row_totals {
	uint64_t instructions, cycles;
	uint64_t unknown_instructions, unknown_cycles;
	uint64_t ambiguous_instructions, ambiguous_cycles;
	uint64_t nameless_instructions;
};

struct tr_rows {
	struct row_totals totals;
	bool *with_classes; /* by timing */
	bool has_classes;   /* some timing has classes */
	uint32_t ntimings, timings_capacity;
};

struct tr_unwind {
	struct tr_unwind_source source;
	struct tr_unwind_sink sink;
	struct tr_unwind_options options;
	bool reports_all; /* traps, privileges and processes are reported, none is
			     inferred */
	struct unwind_status status;

	struct tr_binaries *binaries;
	struct tr_names *names;
	struct tr_nodes *nodes;
	struct tr_leaves *leaves;
	struct tr_isa *isa;
	struct tr_spaces *spaces;
	struct tr_pairs pairs;
	struct spans *spans; /* counts by address; NULL: none */

	uint64_t generation;
	struct stacks *stacks;
	struct shells *shells; /* NULL: none */
	struct row_queue queue;
	struct tr_rows rows;
	struct hart *harts[TR_MAX_HARTS]; /* in order of appearance */
};

/* Return the modules, and what does not change. */
static inline const struct tr_unwind_options *options_of(const struct tr_unwind *u)
{
	return &u->options;
}
static inline const struct tr_unwind_source *source_of(const struct tr_unwind *u)
{
	return &u->source;
}
/* Returns true if traps, privileges and processes are reported, none is inferred. */
static inline bool unwind_reports_all(const struct tr_unwind *u)
{
	return u->reports_all;
}
/* Returns the nth hart that has appeared, or NULL. */
static inline struct hart *unwind_hart(const struct tr_unwind *u, uint32_t nth)
{
	return u->harts[nth];
}
static inline struct stacks *stacks_of(const struct tr_unwind *u)
{
	return u->stacks;
}
static inline struct unwind_status *status_of(struct tr_unwind *u)
{
	return &u->status;
}
static inline struct tr_binaries *binaries_of(const struct tr_unwind *u)
{
	return u->binaries;
}
static inline struct tr_names *names_of(const struct tr_unwind *u)
{
	return u->names;
}
static inline struct tr_nodes *nodes_of(const struct tr_unwind *u)
{
	return u->nodes;
}
static inline struct tr_leaves *leaves_of(const struct tr_unwind *u)
{
	return u->leaves;
}
static inline struct tr_isa *isa_of(const struct tr_unwind *u)
{
	return u->isa;
}
static inline struct tr_spaces *spaces_of(const struct tr_unwind *u)
{
	return u->spaces;
}
static inline struct tr_pairs *pairs_of(struct tr_unwind *u)
{
	return &u->pairs;
}
/* NULL: nothing is counted by address. */
static inline struct spans *spans_of(const struct tr_unwind *u)
{
	return u->spans;
}
/* NULL: threads keep their first names. */
static inline struct shells *shells_of(const struct tr_unwind *u)
{
	return u->shells;
}
static inline struct row_queue *queue_of(struct tr_unwind *u)
{
	return &u->queue;
}
static inline struct tr_rows *rows_of(struct tr_unwind *u)
{
	return &u->rows;
}

/* Returns the space of notes that applies to a hart. */
static inline uint32_t hart_space(const struct hart *h)
{
	return tr_note_space(&h->notes);
}

/* Forgets the previous block; keeps its control-flow kind (FLOW_*). */
void tr_flow_set(struct hart *h, uint8_t flow, uint64_t next_pc);

/* stacks*.c: tracking of stacks. All but the first two may call unwind_fail(), and update
 * hart.here and hart.fresh. */
/* tr_stacks_new() returns NULL when out of memory. tr_stacks_free() accepts that stacks
 * are NULL. tr_stacks_add_totals() adds what was counted. */
struct stacks *tr_stacks_new(void);
void tr_stacks_free(struct tr_unwind *u);
void tr_stacks_add_totals(const struct tr_unwind *u, struct tr_unwind_totals *totals);
/* Returns a new hart, to be freed by free(), or NULL when out of memory. */
struct hart *tr_stacks_new_hart(void);
/* Begins a hart's part of a frame, in hart.context. */
void tr_stacks_begin_part(struct tr_unwind *u, struct hart *h);
/* Rows come next, in hart.context. */
void tr_stacks_begin_rows(struct tr_unwind *u, struct hart *h);
/* Called before a row if something has to be inferred; `match` is its block's pair by
 * tr-match. Returns the pair to use. */
const struct pair *tr_unreported_row(struct tr_unwind *u, struct hart *h,
				     const struct pair *match);
/* Control has reached `place` from hart.from. Called when it may have left the running
 * function, or here.top is SYM_NONE. */
void tr_stacks_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Returns where the hart is, for sink.where. */
struct tr_unwind_where tr_stacks_where(const struct tr_unwind *u, struct hart *h);
/* Processes the hart's next event, which is applied to hart.context too. */
void tr_stacks_take_event(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *event);
/* Releases all held roots. */
void tr_stacks_finish(struct tr_unwind *u);

/* unwind_rows.c: charging, and output of rows. */
/* All 0 is a valid struct tr_rows. tr_rows_add_totals() adds what was charged. */
void tr_rows_release(struct tr_rows *rows);
void tr_rows_add_totals(const struct tr_rows *rows, struct tr_unwind_totals *totals);
/* A hart appears. */
void tr_rows_begin_hart(struct hart *h);
/* Another generation begins. */
void tr_rows_generation(struct tr_unwind *u);
/* Begins a frame, whose generation has `ntimings` timings. */
void tr_rows_frame(struct tr_unwind *u, uint32_t ntimings);
/* Time goes on by the cycles of an event. */
void tr_rows_pass_event(struct tr_unwind *u, struct hart *h,
			const struct tr_event *event);
/* Charges the trap's cycles. Returns the leaf of the inlined call that it interrupted. */
uint32_t tr_rows_charge_trap(struct tr_unwind *u, struct hart *h,
			     const struct tr_event *trap);
void tr_rows_flush(struct tr_unwind *u, struct hart *h);
/* Tracing starts or stops here. */
void tr_rows_trigger(struct tr_unwind *u, struct hart *h, bool start);
/* Writes a row of no cycles at node `root`: all frames of the thread have ended, even if
 * the next program takes the same path. */
void tr_rows_begin_stack(struct tr_unwind *u, struct hart *h, uint32_t root);
void tr_rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles);
void tr_rows_run(struct tr_unwind *u, struct hart *h, uint32_t last);

#endif
