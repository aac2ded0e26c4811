/* SPDX-License-Identifier: Apache-2.0 */
/* Charges instructions and cycles to stacks: the main loop over rows. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_internal.h"

static void count_nameless(struct tr_unwind *u, const struct pending_row *r)
{
	struct row_totals *totals = &rows_of(u)->totals;
	if (!names_is_blank(names_of(u), r->sym) &&
	    names_role(names_of(u), r->sym) != ROLE_NAMELESS)
		return;
	if (r->sym == SYM_UNKNOWN) {
		totals->unknown_instructions += r->out.instructions;
		totals->unknown_cycles += r->out.cycles;
	} else if (r->sym == SYM_JIT) {
		totals->jit_instructions += r->out.instructions;
		totals->jit_cycles += r->out.cycles;
	} else if (r->sym == SYM_AMBIGUOUS) {
		totals->ambiguous_instructions += r->out.instructions;
		totals->ambiguous_cycles += r->out.cycles;
	} else {
		totals->nameless_instructions += r->out.instructions;
	}
}

static inline void write_or_hold_row(struct tr_unwind *u, const struct hart *h,
				     struct tr_srow *row,
				     const struct tr_class_cycles *classes, bool is_begin)
{
	if (is_begin)
		tr_queue_row(queue_of(u), hart_number(h), row, &h->rows.where, classes,
			     true);
	else
		queue_row(queue_of(u), hart_number(h), row, &h->rows.where, classes);
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
	struct pending_row *r = &h->rows.row;
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
	if (h->rows.row.open)
		flush_open(u, h);
}

static bool same_context(const struct hart *h, uint32_t process)
{
	return h->rows.row.priv == hart_priv(h) && h->rows.row.process == process;
}

static void tell_new_context(struct tr_unwind *u, struct hart *h, uint32_t process)
{
	h->rows.row.has_context = true;
	h->rows.row.process = process;
	h->rows.row.priv = hart_priv(h);
	const struct tr_scontext context = {
	    .process = process, .priv = hart_priv(h), .triggers = h->rows.row.triggers};
	h->rows.row.triggers = 0;
	tr_queue_context(queue_of(u), hart_number(h), &context);
}

/* Must be called between rows. */
static inline void tell_context(struct tr_unwind *u, struct hart *h, uint32_t process)
{
	if (!h->rows.row.has_context || !same_context(h, process) || h->rows.row.triggers)
		tell_new_context(u, h, process);
}

static inline void open_row(struct tr_unwind *u, struct hart *h, uint32_t node,
			    uint32_t sym, uint32_t thread, uint32_t process)
{
	tr_rows_flush(u, h);
	if (__builtin_expect(queue_is_watched(queue_of(u)), 0))
		h->rows.where = tr_stacks_where(u, h);
	tell_context(u, h, process);
	h->rows.row.out.cycles = h->rows.row.out.instructions = 0;
	h->rows.row.out.node = node;
	h->rows.row.sym = sym;
	h->rows.row.out.thread = thread;
	h->rows.row.out.fresh = hart_is_fresh(h);
	h->rows.row.open = true;
	hart_set_fresh(h, false);
}

/* Writes that the top frame was newly entered, before its leaves, or what is virtual on
 * it, are charged. */
static void tell_fresh(struct tr_unwind *u, struct hart *h, uint32_t node)
{
	struct tr_srow row = {.node = node, .thread = hart_thread(h), .fresh = true};
	tr_rows_flush(u, h);
	if (__builtin_expect(queue_is_watched(queue_of(u)), 0))
		h->rows.where = tr_stacks_where(u, h);
	tell_context(u, h, hart_process(h));
	write_or_hold_row(u, h, &row, NULL, false);
	hart_set_fresh(h, false);
}

/* Returns the node of the leaves on the top frame. There are none above the depth limit,
 * or if no function is on top. */
static uint32_t node_of_leaves(struct tr_unwind *u, struct hart *h, uint32_t base)
{
	struct segment *s = h->rows.leaves;
	if (hart_top(h) == SYM_NONE)
		return base;
	const uint32_t node = segment_node(s, leaves_of(u), base);
	if (hart_is_fresh(h) && node != base)
		tell_fresh(u, h, base);
	return node;
}

void tr_rows_trigger(struct tr_unwind *u, struct hart *h, bool start)
{
	tr_rows_flush(u, h);
	h->rows.row.triggers |= start ? TR_TRIGGER_START : TR_TRIGGER_STOP;
}

/* Directs the following charges to the thread's top frame. Called for each run of rows.
 */
__attribute__((always_inline)) static inline void open_top_frame_row(struct tr_unwind *u,
								     struct hart *h)
{
	uint32_t node =
	    h->rows.leaves ? node_of_leaves(u, h, hart_node(h)) : hart_node(h);
	if (!h->rows.row.open || h->rows.row.out.node != node ||
	    h->rows.row.out.thread != hart_thread(h) || hart_is_fresh(h) ||
	    !same_context(h, hart_process(h)))
		open_row(u, h, node, hart_sym(h), hart_thread(h), hart_process(h));
}

/* Returns true if the slots of a run are charged to its class. In wider cycles a row does
 * not tell how many of its slots have no reason. */
static bool run_is_charged(const struct tr_unwind *u, const struct tr_run *run)
{
	const uint8_t first = options_of(u)->commit_width > 1 ? 0 : 1;
	return run->class >= first && run->class < TR_MAX_CLASSES && run->slots;
}

static void charge_runs(struct tr_unwind *u, struct hart *h, const struct tr_run *runs,
			unsigned nruns)
{
	for (unsigned i = 0; i < nruns; i++) {
		uint8_t class = runs[i].class;
		if (!run_is_charged(u, &runs[i]))
			continue;
		h->rows.row.classes[class] += runs[i].slots;
		h->rows.row.class_mask |= UINT32_C(1) << class;
	}
}

/* Returns a segment with the leaf at `pc`, if the running function is there in the last
 * file that ran or that of the space. */
static struct segment segment_at(struct tr_unwind *u, const struct hart *h, uint64_t pc)
{
	struct segment segment = {.base = UINT32_MAX};
	struct space_object home;
	if (pc == TR_EPC_UNKNOWN)
		return segment;
	segment.leaf = tr_leaves_in(leaves_of(u), h->rows.near_binary,
				    pc - h->rows.near_bias, hart_top(h));
	if (!segment.leaf && tr_spaces_home(spaces_of(u), hart_space(h), &home))
		segment.leaf =
		    tr_leaves_in(leaves_of(u), home.binary, pc - home.bias, hart_top(h));
	return segment;
}

uint32_t tr_rows_charge_trap(struct tr_unwind *u, struct hart *h,
			     const struct tr_event *trap)
{
	struct segment segment = segment_at(u, h, trap->u.trap.epc);
	uint32_t leaf = tr_leaves_calls(leaves_of(u), segment.leaf);
	const bool has_slots = options_of(u)->commit_width > 1 && trap->u.trap.nruns;
	if (!trap->cycles && !has_slots)
		return leaf;
	h->rows.leaves = segment.leaf ? &segment : NULL;
	open_top_frame_row(u, h);
	h->rows.leaves = NULL;
	h->rows.row.out.cycles += trap->cycles;
	charge_runs(u, h, trap->u.trap.runs, trap->u.trap.nruns);
	if (unwind_tells_runs(u))
		tr_rows_tell_trap(u, h, trap);
	if (has_slots) /* tr_srow_lost_limit() */
		tr_rows_flush(u, h);
	return leaf;
}

void tr_rows_begin_stack(struct tr_unwind *u, struct hart *h, uint32_t root)
{
	struct tr_srow row = {.node = root, .thread = hart_thread(h), .fresh = true};
	tr_rows_flush(u, h);
	if (__builtin_expect(queue_is_watched(queue_of(u)), 0))
		h->rows.where = tr_stacks_where(u, h);
	tell_context(u, h, hart_process(h));
	write_or_hold_row(u, h, &row, NULL, true);
}

void tr_rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles)
{
	open_row(u, h, node, SYM_NONE, 0, 0);
	h->rows.row.out.cycles = cycles;
	h->rows.row.out.fresh = false;
	h->rows.row.out.nclasses = 0;
	/* A gap of no cycles has the slots left over in the one before, or divides
	 * windows of a sampled run. */
	if (!cycles && (options_of(u)->commit_width > 1 || options_of(u)->keeps_gaps))
		write_or_hold_row(u, h, &h->rows.row.out, NULL, false);
	tr_rows_flush(u, h);
}

/* Charges tokens [first, last) of a row: their cycles and classes. */
static void charge_tokens(struct tr_unwind *u, struct hart *h, const struct pair *p,
			  const struct tr_row *row, unsigned first, unsigned last)
{
	const struct tr_timing *timing =
	    source_of(u)->timing(source_of(u)->user, row->timing);
	uint64_t cycles = last - first;
	open_top_frame_row(u, h);
	if (unwind_tells_runs(u) && first < last)
		tr_rows_tell_run(u, h, p, row, first, last);
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *s = &timing->stalls[i];
		if (s->token < first || s->token >= last)
			continue;
		cycles += s->cycles - 1;
		charge_runs(u, h, &timing->runs[s->first_run], s->nruns);
	}
	h->rows.row.out.cycles += cycles;
	h->rows.row.out.instructions += last - first;
}

/* Charges a row of a block with several functions or leaves, or with marks. */
static void charge_split(struct tr_unwind *u, struct hart *h, const struct pair *p,
			 const struct tr_row *row)
{
	unsigned first = 0, moves = 0;
	for (unsigned i = 0; i < p->nsegments; i++) {
		struct segment *s = &p->segments[i];
		const struct place place = {.pc = s->pc,
					    .address = p->address + (s->pc - p->pc),
					    .sym = s->sym,
					    .binary = p->binary,
					    .entry = s->entry};
		if (s->first > first)
			charge_tokens(u, h, p, row, first, s->first);
		if (s->is_marked)
			tr_rows_tell_mark(u, h, s, row);
		if (s->moves) {
			tr_flow_set(h, TR_FLOW_NEXT, s->pc);
			tr_stacks_land(u, h, &place);
			if (spans_of(u))
				tr_spans_count(spans_of(u), hart_node(h), row, ++moves);
		}
		h->rows.leaves = s->leaf ? s : NULL;
		first = s->first;
	}
	if (first < row->tokens)
		charge_tokens(u, h, p, row, first, row->tokens);
	h->rows.leaves = NULL;
	hart_pass_cycles(h, row->cycles);
	rows_of(u)->totals.cycles += row->cycles;
	rows_of(u)->totals.instructions += row->tokens;
}

int tr_rows_create(struct tr_rows *rows, const struct tr_unwind_options *options)
{
	return tr_virtual_hits_new(&rows->virtual_hits, options->probes);
}

void tr_rows_release(struct tr_rows *rows)
{
	tr_virtual_hits_free(rows->virtual_hits);
	free(rows->class_counts);
	free(rows->classes);
}

void tr_rows_begin_hart(struct hart *h)
{
	h->rows.near_binary = TR_NOTE_UNKNOWN;
}

bool tr_rows_locate(struct tr_unwind *u, struct hart *h, struct place *place)
{
	const struct pair near = {.pc = h->rows.near_bias, .binary = h->rows.near_binary};
	return tr_pairs_locate(pairs_of(u), &near, hart_space(h), place);
}

void tr_rows_pass_event(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	if (event->kind != TR_EV_TRAP && event->kind != TR_EV_GAP)
		return;
	hart_pass_cycles(h, event->cycles);
	rows_of(u)->totals.cycles += event->cycles;
}

void tr_rows_add_totals(const struct tr_rows *rows, struct tr_unwind_totals *totals)
{
	const struct row_totals *t = &rows->totals;
	totals->instructions += t->instructions;
	totals->cycles += t->cycles;
	totals->unknown_instructions += t->unknown_instructions;
	totals->unknown_cycles += t->unknown_cycles;
	totals->ambiguous_instructions += t->ambiguous_instructions;
	totals->ambiguous_cycles += t->ambiguous_cycles;
	totals->jit_instructions += t->jit_instructions;
	totals->jit_cycles += t->jit_cycles;
	totals->nameless_instructions += t->nameless_instructions;
}

void tr_rows_generation(struct tr_unwind *u)
{
	rows_of(u)->ntimings = 0;
}

/* Adds a run to the sums of its timing, which has `count` classes. Returns the new
 * number. */
static uint8_t add_timing_run(struct timing_classes *sums, uint8_t count,
			      const struct tr_run *run)
{
	uint8_t i = 0;
	if (count == TIMING_MORE)
		return TIMING_MORE;
	while (i < count && sums->class[i] != run->class)
		i++;
	if (i == TIMING_CLASSES ||
	    (i < count && sums->slots[i] > UINT32_MAX - run->slots))
		return TIMING_MORE;
	sums->slots[i] = i < count ? sums->slots[i] + run->slots : run->slots;
	sums->class[i] = run->class;
	return i < count ? count : (uint8_t)(count + 1);
}

void tr_rows_frame(struct tr_unwind *u, uint32_t ntimings)
{
	const struct tr_unwind_source *source = source_of(u);
	struct tr_rows *rows = rows_of(u);
	if (!tr_unwind_reserve(status_of(u), (void **)&rows->class_counts,
			       &rows->counts_capacity, ntimings,
			       sizeof(*rows->class_counts)) ||
	    !tr_unwind_reserve(status_of(u), (void **)&rows->classes,
			       &rows->classes_capacity, ntimings, sizeof(*rows->classes)))
		return;
	for (; rows->ntimings < ntimings; rows->ntimings++) {
		const struct tr_timing *t = source->timing(source->user, rows->ntimings);
		uint8_t count = 0;
		for (uint32_t i = 0; i < t->nruns; i++)
			if (run_is_charged(u, &t->runs[i]))
				count = add_timing_run(&rows->classes[rows->ntimings],
						       count, &t->runs[i]);
		rows->class_counts[rows->ntimings] = count;
		rows->has_classes |= count != 0;
	}
}

/* Charges the classes of a timing that has more than fit into its sums. */
__attribute__((noinline)) static void charge_more_classes(struct tr_unwind *u,
							  struct hart *h, uint32_t timing)
{
	const struct tr_timing *t = source_of(u)->timing(source_of(u)->user, timing);
	charge_runs(u, h, t->runs, t->nruns);
}

static void charge_row_classes(struct tr_unwind *u, struct hart *h,
			       const struct tr_row *first, const struct tr_row *end)
{
	const uint8_t *const counts = rows_of(u)->class_counts;
	struct pending_row *const r = &h->rows.row;
	uint32_t mask = 0;
	for (const struct tr_row *row = first; row < end; row++) {
		const uint8_t count = counts[row->timing];
		if (count == TIMING_MORE) {
			charge_more_classes(u, h, row->timing);
			continue;
		}
		const struct timing_classes *sums = &rows_of(u)->classes[row->timing];
		for (unsigned i = 0; i < count; i++) {
			r->classes[sums->class[i]] += sums->slots[i];
			mask |= UINT32_C(1) << sums->class[i];
		}
	}
	r->class_mask |= mask;
}

/* Fast path: charges row `first` and those that follow, up to row `last`, as long as they
 * run in the same function (`run`: see recent_run()) and need no inspection in between,
 * so that only the last of them may change sp. Returns their number. The sums stay in
 * registers, since most rows are charged here. */
static uint32_t charge_rows(struct tr_unwind *u, struct hart *h,
			    const struct tr_row *first, uint32_t last, uint64_t run)
{
	const struct recent *recent = pairs_recent(pairs_of(u));
	uint64_t cycles = 0, instructions = 0, differs = recent[first->block].run ^ run;
	const struct tr_row *row = first, *end = &hart_part(h)->rows[last];
	do {
		cycles += row->cycles;
		instructions += row->tokens;
		if (++row == end || differs)
			break;
		differs = recent[row->block].run ^ run;
	} while (differs <= 1);
	if (row < end) /* where control lands next */
		__builtin_prefetch(recent[row->block].pair);
	if (rows_of(u)->has_classes)
		charge_row_classes(u, h, first, row);
	hart_set_from(h, recent[row[-1].block].pair);
	hart_add_sp(h, (uint64_t)hart_from(h)->sp);
	h->rows.row.out.cycles += cycles;
	h->rows.row.out.instructions += instructions;
	hart_pass_cycles(h, cycles);
	rows_of(u)->totals.cycles += cycles;
	rows_of(u)->totals.instructions += instructions;
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

/* Lands on the next row, unless the same function goes on. Returns the pair of its block.
 */
__attribute__((always_inline)) static inline const struct pair *
land_on_row(struct tr_unwind *u, struct hart *h, uint32_t space, const struct tr_row *row)
{
	const struct pair *p = pairs_find(pairs_of(u), space, row->block);
	if (!unwind_reports_all(u))
		p = tr_unreported_row(u, h, p);
	if (hart_top(h) != p->sym || hart_from(h)->flow > TR_FLOW_INDIRECT ||
	    hart_from(h)->sp_write)
		land_on(u, h, p);
	return p;
}

static void note_near(struct hart *h)
{
	if (hart_from(h)->is_stub) /* it is elsewhere than its program */
		return;
	h->rows.near_binary = hart_from(h)->binary;
	h->rows.near_bias = hart_from(h)->pc - hart_from(h)->address;
}

static void run_rows(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	const uint32_t space = hart_space(h);
	uint32_t i = hart_next_row(h);
	while (i < last && !unwind_failed(status_of(u))) {
		const struct tr_row *row = &hart_part(h)->rows[i];
		hart_set_next_row(h, i);
		const struct pair *p = land_on_row(u, h, space, row);
		if (p->nsegments) {
			charge_split(u, h, p, row);
			hart_set_from(h, p);
			hart_add_sp(h, (uint64_t)p->sp);
			i++;
		} else {
			open_top_frame_row(u, h);
			i += charge_rows(u, h, row, last,
					 recent_run(p->space, hart_top(h), false));
		}
	}
}

/* Charges a row in one function, and passes it on. */
static void charge_whole(struct tr_unwind *u, struct hart *h, const struct pair *p,
			 const struct tr_row *row)
{
	if (unwind_tells_runs(u))
		tr_rows_tell_run(u, h, p, row, 0, row->tokens);
	if (rows_of(u)->has_classes)
		charge_row_classes(u, h, row, row + 1);
	h->rows.row.out.cycles += row->cycles;
	h->rows.row.out.instructions += row->tokens;
	hart_pass_cycles(h, row->cycles);
	rows_of(u)->totals.cycles += row->cycles;
	rows_of(u)->totals.instructions += row->tokens;
}

/* Charges a row that has been landed on, and counts it by address. */
static void count_located_row(struct tr_unwind *u, struct hart *h, const struct pair *p,
			      const struct tr_row *row)
{
	if (spans_of(u))
		tr_spans_branch(spans_of(u), hart_from(h), p);
	if (!p->nsegments)
		open_top_frame_row(u, h);
	if (spans_of(u))
		tr_spans_count(spans_of(u), hart_node(h), row, 0);
	if (p->nsegments)
		charge_split(u, h, p, row);
	else
		charge_whole(u, h, p, row);
	hart_set_from(h, p);
	hart_add_sp(h, (uint64_t)p->sp);
}

/* Charges rows and counts them by address, or passes them on, in a loop of its own, so
 * that the loop without counts does not become slower. */
static void count_located_rows(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	const uint32_t space = hart_space(h);
	for (; hart_next_row(h) < last && !unwind_failed(status_of(u));
	     hart_set_next_row(h, hart_next_row(h) + 1)) {
		const struct tr_row *row = &hart_part(h)->rows[hart_next_row(h)];
		const struct pair *p = land_on_row(u, h, space, row);
		count_located_row(u, h, p, row);
	}
}

static bool tells_virtual(const struct tr_unwind *u, const struct tr_hit *hit)
{
	return tr_virtual_hits_tells(u->rows.virtual_hits, hit->probe);
}

void tr_rows_begin_part(struct tr_unwind *u, struct hart *h)
{
	for (uint32_t i = 0; i < h->rows.nhits; i++)
		if (tells_virtual(u, h->rows.hits[i]))
			tr_stacks_lose_virtual(u, 1);
	h->rows.nhits = 0;
}

void tr_rows_hit(struct tr_unwind *u, struct hart *h, const struct tr_hit *hit)
{
	const bool is_virtual = tells_virtual(u, hit);
	if (!is_virtual && !u->sink.hit)
		return;
	if (h->rows.nhits < TR_UNWIND_HITS)
		h->rows.hits[h->rows.nhits++] = hit;
	else if (is_virtual)
		tr_stacks_lose_virtual(u, 1);
}

static void take_virtual_hit(struct tr_unwind *u, struct hart *h,
			     const struct tr_hit *hit)
{
	struct tr_virtual_hit *told = &rows_of(u)->virtual_hit;
	tr_virtual_hits_read(rows_of(u)->virtual_hits, hit, told);
	if (hart_is_fresh(h))
		tell_fresh(u, h, hart_node(h));
	tr_stacks_apply_virtual(u, h, told);
}

/* Charges the next row, at which probes are hit: the hits are those of the function that
 * runs there. */
static void run_row_with_hits(struct tr_unwind *u, struct hart *h)
{
	const struct tr_row *row = &hart_part(h)->rows[hart_next_row(h)];
	const struct pair *p = land_on_row(u, h, hart_space(h), row);
	for (uint32_t i = 0; i < h->rows.nhits; i++) {
		if (tells_virtual(u, h->rows.hits[i]))
			take_virtual_hit(u, h, h->rows.hits[i]);
		if (u->sink.hit)
			tr_hits_tell(u, h, h->rows.hits[i], p);
	}
	h->rows.nhits = 0;
	count_located_row(u, h, p, row);
	hart_set_next_row(h, hart_next_row(h) + 1);
}

void tr_rows_run(struct tr_unwind *u, struct hart *h, uint32_t last)
{
	tr_stacks_begin_rows(u, h);
	if (h->rows.nhits && hart_next_row(h) < last)
		run_row_with_hits(u, h);
	if (spans_of(u) || unwind_tells_runs(u))
		count_located_rows(u, h, last);
	else
		run_rows(u, h, last);
	note_near(h);
	hart_set_next_row(h, last);
}
