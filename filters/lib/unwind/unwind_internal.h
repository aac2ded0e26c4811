/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the unwinder; only they include it.
 *
 * Symbols number everything that can be on a stack: a function, a program, a trap,
 * unknown code. Execution is charged to a node, which is a path of symbols from a root.
 * stacks*.c choose the node from control transfers and events; the other files classify
 * blocks, name functions and charge rows. */
#ifndef TR_UNWIND_INTERNAL_H
#define TR_UNWIND_INTERNAL_H

#include "unwind/unwind_hart.h"
#include "unwind/unwind_queue.h"
#include "unwind/unwind_shells.h"
#include "unwind/unwind_spans.h"
#include "unwind/virtual_hits.h"

/* Only unwind_rows.c uses the members. */
struct row_totals {
	uint64_t instructions, cycles;
	uint64_t unknown_instructions, unknown_cycles;
	uint64_t ambiguous_instructions, ambiguous_cycles;
	uint64_t jit_instructions, jit_cycles;
	uint64_t nameless_instructions;
};

/* The slots that a timing loses, summed by class. */
enum { TIMING_CLASSES = 6, TIMING_MORE };
struct timing_classes {
	uint32_t slots[TIMING_CLASSES];
	uint8_t class[TIMING_CLASSES];
};

struct tr_rows {
	struct row_totals totals;
	/* By timing: the number of its classes, apart since most timings have none, or
	 * TIMING_MORE for more classes or slots than fit; and their sums. */
	uint8_t *class_counts;
	struct timing_classes *classes;
	bool has_classes; /* some timing has classes */
	uint32_t ntimings, counts_capacity, classes_capacity;
	struct tr_virtual_hits *virtual_hits; /* NULL: no probe tells of virtual frames */
	struct tr_virtual_hit virtual_hit;    /* scratch */
};

/* Only unwind_hits.c uses the members: scratch. */
struct hit_call {
	uint32_t node, binary; /* of the caller */
	uint64_t address;      /* to which the call returns */
};
struct tr_hit_stack {
	struct tr_unwind_frame_at *frames;
	struct hit_call *calls;
	uint32_t frame_capacity, call_capacity, ncalls;
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
	struct tr_hit_stack hit_stack;
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
/* Returns true if the sink takes runs and traps. */
static inline bool unwind_tells_runs(const struct tr_unwind *u)
{
	return u->sink.run != NULL;
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

/* stacks*.c: tracking of stacks. All but the first two may call unwind_fail(), and update
 * the target of the hart's charges. */
/* tr_stacks_new() returns NULL when out of memory. tr_stacks_free() accepts that stacks
 * are NULL. tr_stacks_add_totals() adds what was counted. */
struct stacks *tr_stacks_new(void);
void tr_stacks_free(struct tr_unwind *u);
void tr_stacks_add_totals(const struct tr_unwind *u, struct tr_unwind_totals *totals);
/* Begins a hart's part of a frame, in hart_context(). */
void tr_stacks_begin_part(struct tr_unwind *u, struct hart *h);
/* Rows come next, in hart_context(). */
void tr_stacks_begin_rows(struct tr_unwind *u, struct hart *h);
/* Called before a row if something has to be inferred; `match` is its block's pair by
 * tr-match. Returns the pair to use. */
const struct pair *tr_unreported_row(struct tr_unwind *u, struct hart *h,
				     const struct pair *match);
/* Control has reached `place` from hart_from(). Called when it may have left the running
 * function, or hart_top() is SYM_NONE. */
void tr_stacks_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* A hit at the hart's next row, which has been landed on, tells of a virtual frame. */
void tr_stacks_apply_virtual(struct tr_unwind *u, struct hart *h,
			     const struct tr_virtual_hit *hit);
/* Hits that told of a virtual frame were lost. */
void tr_stacks_lose_virtual(struct tr_unwind *u, uint64_t count);
/* Returns where the hart is, for sink.where. */
struct tr_unwind_where tr_stacks_where(const struct tr_unwind *u, struct hart *h);
/* Processes the hart's next event, which is applied to hart_context() too. */
void tr_stacks_take_event(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *event);
/* Releases all held roots. */
void tr_stacks_finish(struct tr_unwind *u);

/* unwind_rows.c: charging, and output of rows. */
/* tr_rows_create() returns TR_OK or TR_E_NOMEM. tr_rows_add_totals() adds what was
 * charged. */
int tr_rows_create(struct tr_rows *rows, const struct tr_unwind_options *options);
void tr_rows_release(struct tr_rows *rows);
void tr_rows_add_totals(const struct tr_rows *rows, struct tr_unwind_totals *totals);
/* A hart appears. */
void tr_rows_begin_hart(struct hart *h);
/* Completes `place` as tr_pairs_locate() does, from the last file that the hart ran. */
bool tr_rows_locate(struct tr_unwind *u, struct hart *h, struct place *place);
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
/* A hart's part of a frame begins. */
void tr_rows_begin_part(struct tr_unwind *u, struct hart *h);
/* A probe was hit at the hart's next row; the hit stays valid for the part. */
void tr_rows_hit(struct tr_unwind *u, struct hart *h, const struct tr_hit *hit);
void tr_rows_run(struct tr_unwind *u, struct hart *h, uint32_t last);

/* unwind_tell.c: what unwind_rows.c passes on to the sink besides rows of stacks. */
/* Tokens [first, end) of a row are charged to the running function. */
void tr_rows_tell_run(struct tr_unwind *u, const struct hart *h, const struct pair *p,
		      const struct tr_row *row, unsigned first, unsigned end);
/* A trap is charged. Its place is in the last file that ran or in that of the space, if
 * the running function is there. */
void tr_rows_tell_trap(struct tr_unwind *u, const struct hart *h,
		       const struct tr_event *event);
/* A mark is before a segment of a row; what follows it is in another row of stacks. */
void tr_rows_tell_mark(struct tr_unwind *u, struct hart *h, const struct segment *s,
		       const struct tr_row *row);

/* unwind_hits.c: passes on a hit at the hart's next row, whose pair is `at`. */
void tr_hits_tell(struct tr_unwind *u, struct hart *h, const struct tr_hit *hit,
		  const struct pair *at);
void tr_hits_release(struct tr_unwind *u);

#endif
