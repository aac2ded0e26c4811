/* SPDX-License-Identifier: Apache-2.0 */
/* Charges instructions and cycles to stacks: the main loop over rows. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_spans.h"

static void count_nameless(struct tr_unwind *u, const struct pending_row *r)
{
	struct tr_unwind_totals *totals = &u->totals;
	if (!sym_is_blank(u, r->sym) && u->syms[r->sym].role != ROLE_NAMELESS)
		return;
	if (r->sym == SYM_UNKNOWN) {
		totals->unknown_instructions += r->out.instructions;
		totals->unknown_cycles += r->out.cycles;
	} else if (r->sym == SYM_AMBIGUOUS) {
		totals->ambiguous_instructions += r->out.instructions;
		totals->ambiguous_cycles += r->out.cycles;
	} else {
		totals->nameless_instructions += r->out.instructions;
	}
}

/* A hold may be resolved to another hold. */
static uint32_t final_thread(const struct tr_unwind *u, uint32_t thread)
{
	while (thread & TR_HELD)
		thread = u->holds[thread & ~TR_HELD].known.thread;
	return thread;
}

static uint32_t final_process(const struct tr_unwind *u, uint32_t process)
{
	while (process & TR_HELD)
		process = u->holds[process & ~TR_HELD].known.process;
	return process;
}

/* A row that is to be written. */
__attribute__((noinline)) static void watch_row(struct tr_unwind *u, uint32_t hart,
						const struct tr_srow *row,
						const struct tr_unwind_where *where,
						bool is_begin)
{
	const uint32_t thread = final_thread(u, row->thread);
	if (!is_begin && shells_count(u, thread))
		tr_shells_row(u, thread, row->node, row);
	if (u->ops.where)
		u->ops.where(u->ops.user, hart, where);
}

static inline void write_row(struct tr_unwind *u, uint32_t hart, struct tr_srow *row,
			     const struct tr_unwind_where *where,
			     const struct tr_class_cycles *classes, bool is_begin)
{
	if (__builtin_expect(u->is_watched, 0))
		watch_row(u, hart, row, where, is_begin);
	row->node = is_begin ? tr_names_root(u, row->node) : names_written(u, row->node);
	row->thread = final_thread(u, row->thread);
	u->totals.out_cycles += row->cycles;
	u->totals.out_instructions += row->instructions;
	unwind_fail(u, u->ops.srow(u->ops.user, hart, row, classes));
}

static void write_context(struct tr_unwind *u, uint32_t hart,
			  const struct tr_scontext *context)
{
	struct tr_scontext out = *context;
	out.process = final_process(u, context->process);
	unwind_fail(u, u->ops.scontext(u->ops.user, hart, &out));
}

/* Returns true if the root that a thread or process stands for is unresolved. */
static bool root_is_unresolved(const struct tr_unwind *u, uint32_t reference)
{
	while (reference & TR_HELD) {
		const struct held *h = &u->holds[reference & ~TR_HELD];
		if (!h->is_released)
			return true;
		reference = h->known.thread;
	}
	return false;
}

/* Reuses the memory of written rows. */
static void reuse_room(struct held_rows *held)
{
	uint32_t class = held->rows[held->next].first_class;
	held->count -= held->next;
	memmove(held->rows, &held->rows[held->next], held->count * sizeof(*held->rows));
	held->nclasses -= class;
	if (held->nclasses)
		memmove(held->classes, &held->classes[class],
			held->nclasses * sizeof(*held->classes));
	for (uint32_t i = 0; i < held->count; i++)
		held->rows[i].first_class -= class;
	held->next = 0;
}

static void hold_stack_row(struct tr_unwind *u, const struct held_row *row,
			   const struct tr_class_cycles *classes)
{
	struct held_rows *held = &u->held;
	uint32_t nclasses = row->row.nclasses;
	if (held->count == held->capacity && held->next > held->count / 2)
		reuse_room(held);
	if (!tr_unwind_reserve(u, (void **)&held->rows, &held->capacity,
			       held->count + 1ULL, sizeof(*held->rows)) ||
	    !tr_unwind_reserve(u, (void **)&held->classes, &held->classes_capacity,
			       (uint64_t)held->nclasses + nclasses, sizeof(*classes)))
		return;
	if (nclasses)
		memcpy(&held->classes[held->nclasses], classes,
		       nclasses * sizeof(*classes));
	held->rows[held->count] = *row;
	held->rows[held->count++].first_class = held->nclasses;
	held->nclasses += nclasses;
}

void tr_rows_release(struct tr_unwind *u)
{
	struct held_rows *held = &u->held;
	for (; held->next < held->count; held->next++) {
		struct held_row *h = &held->rows[held->next];
		if (root_is_unresolved(u, h->context.process) ||
		    root_is_unresolved(u, h->row.thread))
			return;
		if (h->is_context)
			write_context(u, h->hart, &h->context);
		else
			write_row(u, h->hart, &h->row, &h->where,
				  held->classes ? held->classes + h->first_class : NULL,
				  h->is_begin);
	}
	held->next = held->count = held->nclasses = 0;
	u->is_waiting = u->holds_open;
}

static inline void write_or_hold_row(struct tr_unwind *u, const struct hart *h,
				     struct tr_srow *row,
				     const struct tr_class_cycles *classes, bool is_begin)
{
	if (u->is_waiting)
		hold_stack_row(u,
			       &(struct held_row){.row = *row,
						  .where = h->row.where,
						  .hart = h->number,
						  .is_begin = is_begin},
			       classes);
	else
		write_row(u, h->number, row, &h->row.where, classes, is_begin);
}

static uint8_t drain_row_classes(struct pending_row *r, struct tr_class_cycles *classes)
{
	uint8_t count = 0;
	for (; r->class_mask; r->class_mask &= r->class_mask - 1) {
		uint8_t c = (uint8_t)__builtin_ctz(r->class_mask);
		classes[count++] =
		    (struct tr_class_cycles){.cycles = r->classes[c], .class = c};
		r->classes[c] = 0;
	}
	return count;
}

/* Writes and closes the open row. */
static void flush_open(struct tr_unwind *u, struct hart *h)
{
	struct pending_row *r = &h->row;
	r->open = false;
	if (!r->out.cycles && !r->out.instructions && !r->class_mask)
		return;
	struct tr_class_cycles classes[TR_MAX_CLASSES];
	r->out.nclasses = drain_row_classes(r, classes);
	count_nameless(u, r);
	write_or_hold_row(u, h, &r->out, classes, false);
}

void tr_rows_flush(struct tr_unwind *u, struct hart *h)
{
	if (h->row.open)
		flush_open(u, h);
}

static bool same_context(const struct hart *h, uint32_t process)
{
	return h->row.priv == h->context.priv && h->row.process == process;
}

static void tell_new_context(struct tr_unwind *u, struct hart *h, uint32_t process)
{
	h->row.has_context = true;
	h->row.process = process;
	h->row.priv = h->context.priv;
	const struct tr_scontext context = {
	    .process = process, .priv = h->context.priv, .triggers = h->row.triggers};
	h->row.triggers = 0;
	if (u->is_waiting)
		hold_stack_row(u,
			       &(struct held_row){.context = context,
						  .hart = h->number,
						  .is_context = true},
			       NULL);
	else
		write_context(u, h->number, &context);
}

/* Must be called between rows. */
static inline void tell_context(struct tr_unwind *u, struct hart *h, uint32_t process)
{
	if (!h->row.has_context || !same_context(h, process) || h->row.triggers)
		tell_new_context(u, h, process);
}

static inline void open_row(struct tr_unwind *u, struct hart *h, uint32_t node,
			    uint32_t sym, uint32_t thread, uint32_t process)
{
	tr_rows_flush(u, h);
	if (__builtin_expect(u->is_watched, 0))
		tr_stacks_note_where(u, h);
	tell_context(u, h, process);
	h->row.out.cycles = h->row.out.instructions = 0;
	h->row.out.node = node;
	h->row.sym = sym;
	h->row.out.thread = thread;
	h->row.out.fresh = h->fresh;
	h->row.open = true;
	h->fresh = false;
}

/* Writes that the top frame was newly entered, before its leaves are charged. */
static void tell_fresh(struct tr_unwind *u, struct hart *h, uint32_t node)
{
	struct tr_srow row = {.node = node, .thread = h->here.thread, .fresh = true};
	tr_rows_flush(u, h);
	if (__builtin_expect(u->is_watched, 0))
		tr_stacks_note_where(u, h);
	tell_context(u, h, h->here.process);
	write_or_hold_row(u, h, &row, NULL, false);
	h->fresh = false;
}

/* Returns the node of the leaves on the top frame. There are none above the depth limit,
 * or if no function is on top. */
static uint32_t node_of_leaves(struct tr_unwind *u, struct hart *h, uint32_t base)
{
	struct segment *s = h->leaves;
	if (h->here.top == SYM_NONE)
		return base;
	if (s->base != base) {
		s->base = base;
		s->node = tr_leaves_node(u, base, s->leaf);
	}
	if (h->fresh && s->node != base)
		tell_fresh(u, h, base);
	return s->node;
}

void tr_rows_trigger(struct tr_unwind *u, struct hart *h, bool start)
{
	tr_rows_flush(u, h);
	h->row.triggers |= start ? TR_TRIGGER_START : TR_TRIGGER_STOP;
}

/* Directs the following charges to the thread's top frame. Called for each run of rows.
 */
__attribute__((always_inline)) static inline void open_top_frame_row(struct tr_unwind *u,
								     struct hart *h)
{
	const struct here *here = &h->here;
	uint32_t node = h->leaves ? node_of_leaves(u, h, here->node) : here->node;
	if (!h->row.open || h->row.out.node != node ||
	    h->row.out.thread != here->thread || h->fresh ||
	    !same_context(h, here->process))
		open_row(u, h, node, here->sym, here->thread, here->process);
}

static void charge_runs(struct tr_unwind *u, struct hart *h, const struct tr_run *runs,
			unsigned nruns)
{
	/* In wider cycles a row does not tell how many of its slots have no reason. */
	const uint8_t first = u->options.commit_width > 1 ? 0 : 1;
	for (unsigned i = 0; i < nruns; i++) {
		uint8_t class = runs[i].class;
		if (class < first || class >= TR_MAX_CLASSES || !runs[i].slots)
			continue;
		h->row.classes[class] += runs[i].slots;
		h->row.class_mask |= UINT32_C(1) << class;
	}
}

uint32_t tr_rows_charge_trap(struct tr_unwind *u, struct hart *h,
			     const struct tr_event *trap)
{
	struct segment segment = tr_leaves_near(u, h, trap->u.trap.epc);
	uint32_t leaf = tr_leaves_calls(u, segment.leaf);
	const bool has_slots = u->options.commit_width > 1 && trap->u.trap.nruns;
	if (!trap->cycles && !has_slots)
		return leaf;
	h->leaves = segment.leaf ? &segment : NULL;
	open_top_frame_row(u, h);
	h->leaves = NULL;
	h->row.out.cycles += trap->cycles;
	charge_runs(u, h, trap->u.trap.runs, trap->u.trap.nruns);
	if (has_slots) /* tr_srow_lost_limit() */
		tr_rows_flush(u, h);
	return leaf;
}

void tr_rows_begin_stack(struct tr_unwind *u, struct hart *h, uint32_t root)
{
	struct tr_srow row = {.node = root, .thread = h->here.thread, .fresh = true};
	tr_rows_flush(u, h);
	if (__builtin_expect(u->is_watched, 0))
		tr_stacks_note_where(u, h);
	tell_context(u, h, h->here.process);
	write_or_hold_row(u, h, &row, NULL, true);
}

void tr_rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles)
{
	open_row(u, h, node, SYM_NONE, 0, 0);
	h->row.out.cycles = cycles;
	h->row.out.fresh = false;
	h->row.out.nclasses = 0;
	/* A gap of no cycles has the slots left over in the one before. */
	if (!cycles && u->options.commit_width > 1)
		write_or_hold_row(u, h, &h->row.out, NULL, false);
	tr_rows_flush(u, h);
}

/* Charges tokens [first, last) of a row: their cycles and classes. */
static void charge_tokens(struct tr_unwind *u, struct hart *h,
			  const struct tr_timing *timing, unsigned first, unsigned last)
{
	uint64_t cycles = last - first;
	open_top_frame_row(u, h);
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *s = &timing->stalls[i];
		if (s->token < first || s->token >= last)
			continue;
		cycles += s->cycles - 1;
		charge_runs(u, h, &timing->runs[s->first_run], s->nruns);
	}
	h->row.out.cycles += cycles;
	h->row.out.instructions += last - first;
}

/* Charges a row of a block with several functions or leaves. */
static void charge_split(struct tr_unwind *u, struct hart *h, const struct pair *p,
			 const struct tr_row *row)
{
	const struct tr_timing *timing = u->ops.timing(u->ops.user, row->timing);
	unsigned first = 0, moves = 0;
	for (unsigned i = 0; i < p->nsegments; i++) {
		struct segment *s = &p->segments[i];
		const struct place place = {.pc = s->pc,
					    .address = p->address + (s->pc - p->pc),
					    .sym = s->sym,
					    .binary = p->binary,
					    .entry = s->entry};
		if (s->first)
			charge_tokens(u, h, timing, first, s->first);
		if (s->moves) {
			tr_flow_set(h, TR_FLOW_NEXT, s->pc);
			tr_stacks_land(u, h, &place);
			if (u->spans)
				tr_spans_count(u, h, row, ++moves);
		}
		h->leaves = s->leaf ? s : NULL;
		first = s->first;
	}
	charge_tokens(u, h, timing, first, row->tokens);
	h->leaves = NULL;
	h->cycle += row->cycles;
	u->totals.cycles += row->cycles;
	u->totals.instructions += row->tokens;
}

static void charge_row_classes(struct tr_unwind *u, struct hart *h,
			       const struct tr_row *first, const struct tr_row *end)
{
	const bool *with_classes = u->with_classes;
	for (const struct tr_row *row = first; row < end; row++) {
		if (!with_classes[row->timing])
			continue;
		const struct tr_timing *t = u->ops.timing(u->ops.user, row->timing);
		charge_runs(u, h, t->runs, t->nruns);
	}
}

/* Fast path: charges row `first` and those that follow, up to row `last`, as long as they
 * run in the same function (`run`: see recent_run()) and need no inspection in between,
 * so that only the last of them may change sp. Returns their number. The sums stay in
 * registers, since most rows are charged here. */
static uint32_t charge_rows(struct tr_unwind *u, struct hart *h,
			    const struct tr_row *first, uint32_t last, uint64_t run)
{
	const struct recent *recent = u->recent;
	uint64_t cycles = 0, instructions = 0, differs = recent[first->block].run ^ run;
	const struct tr_row *row = first, *end = &h->part->rows[last];
	do {
		cycles += row->cycles;
		instructions += row->tokens;
		if (++row == end || differs)
			break;
		differs = recent[row->block].run ^ run;
	} while (differs <= 1);
	if (u->has_classes)
		charge_row_classes(u, h, first, row);
	h->from = recent[row[-1].block].pair;
	h->sp += (uint64_t)h->from->sp;
	h->row.out.cycles += cycles;
	h->row.out.instructions += instructions;
	h->cycle += cycles;
	u->totals.cycles += cycles;
	u->totals.instructions += instructions;
	return (uint32_t)(row - first);
}

static void land_on(struct tr_unwind *u, struct hart *h, const struct pair *p)
{
	const struct place place = {.pc = p->pc,
				    .address = p->address,
				    .sym = p->sym,
				    .binary = p->binary,
				    .entry = p->entry};
	tr_stacks_land(u, h, &place);
}

static void note_near(struct hart *h)
{
	h->near_binary = h->from->binary;
	h->near_bias = h->from->pc - h->from->address;
}

static void run_rows(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	const uint32_t space = hart_space(h);
	uint32_t i = h->next_row;
	while (i < last && !u->status) {
		const struct tr_row *row = &h->part->rows[i];
		const struct recent *r = &u->recent[row->block];
		const struct pair *p =
		    r->run >> 32 == space ? r->pair : tr_pairs_find(u, space, row->block);
		h->next_row = i;
		if (!u->reports_all)
			p = tr_unreported_row(u, h, p);
		if (h->here.top != p->sym || h->from->flow > TR_FLOW_INDIRECT ||
		    h->from->sp_write)
			land_on(u, h, p);
		if (p->nsegments) {
			charge_split(u, h, p, row);
			h->from = p;
			h->sp += (uint64_t)p->sp;
			i++;
		} else {
			open_top_frame_row(u, h);
			i += charge_rows(u, h, row, last,
					 recent_run(p->space, h->here.top, false));
		}
	}
}

/* Charges and counts a row in one function. */
static void count_located_row(struct tr_unwind *u, struct hart *h, const struct pair *p,
			      const struct tr_row *row)
{
	open_top_frame_row(u, h);
	tr_spans_count(u, h, row, 0);
	if (u->has_classes)
		charge_row_classes(u, h, row, row + 1);
	h->row.out.cycles += row->cycles;
	h->row.out.instructions += row->tokens;
	h->cycle += row->cycles;
	u->totals.cycles += row->cycles;
	u->totals.instructions += row->tokens;
	h->from = p;
	h->sp += (uint64_t)p->sp;
}

/* Charges rows and counts them by address, in a loop of its own, so that the loop without
 * counts does not become slower. */
static void count_located_rows(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	const uint32_t space = hart_space(h);
	for (; h->next_row < last && !u->status; h->next_row++) {
		const struct tr_row *row = &h->part->rows[h->next_row];
		const struct recent *r = &u->recent[row->block];
		const struct pair *p =
		    r->run >> 32 == space ? r->pair : tr_pairs_find(u, space, row->block);
		if (!u->reports_all)
			p = tr_unreported_row(u, h, p);
		if (h->here.top != p->sym || h->from->flow > TR_FLOW_INDIRECT ||
		    h->from->sp_write)
			land_on(u, h, p);
		tr_spans_branch(u, h->from, p);
		if (!p->nsegments) {
			count_located_row(u, h, p, row);
			continue;
		}
		tr_spans_count(u, h, row, 0);
		charge_split(u, h, p, row);
		h->from = p;
		h->sp += (uint64_t)p->sp;
	}
}

void tr_rows_run(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	tr_stacks_begin_rows(u, h);
	if (u->spans)
		count_located_rows(u, h, last);
	else
		run_rows(u, h, last);
	note_near(h);
	h->next_row = last;
}
