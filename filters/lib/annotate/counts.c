/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of instructions, from what an unwinder charges. The executions of a piece of
 * code are counted once for all of its instructions. */
#include "annotate/counts.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/counts_state.h"
#include "annotate/slices_state.h"
#include "profile/tma.h"
#include "stream/reader.h"

struct tr_counts *tr_counts_new(const struct tr_counts_options *options)
{
	struct tr_counts *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->header = options->header;
	c->classes = options->classes;
	c->probes = options->probes;
	c->symbols = options->symbols;
	c->selection = options->selection;
	c->from = options->from;
	c->to = options->to;
	c->is_cut = c->selection || c->from || c->to != UINT64_MAX;
	c->columns = c->classes ? c->classes->count + 1 : 1;
	c->width = c->classes ? tr_header_commit_width(c->header) : 1;
	c->isa = tr_header_isa(c->header);
	c->flag = COUNTS_NONE;
	for (uint32_t i = 0; c->probes && i < c->probes->count; i++)
		if (strcmp(c->probes->probes[i].name, "mispredicted") == 0 &&
		    c->probes->probes[i].count == 0)
			c->flag = i;
	for (unsigned i = 1; c->classes && i <= c->classes->count; i++) {
		if (tr_tma_is_mispredict(c->classes, i))
			c->mispredicts |= UINT32_C(1) << i;
		if (tr_tma_is_miss(c->classes, i))
			c->misses |= UINT32_C(1) << i;
	}
	c->contexts = options->contexts;
	c->slices = options->has_slices ? tr_slices_new(c->columns) : NULL;
	if (options->has_slices && !c->slices) {
		free(c);
		return NULL;
	}
	return c;
}

void tr_counts_free(struct tr_counts *c)
{
	if (!c)
		return;
	tr_map_free(&c->insn_ids);
	tr_map_free(&c->piece_ids);
	tr_arena_reset(&c->text);
	tr_slices_free(c->slices);
	free(c->funcs);
	free(c->insns);
	free(c->pieces);
	free(c->ids);
	free(c->func_of_node);
	free(c->piece_of_block);
	free(c->lost);
	free(c);
}

/* ------------------------------------------------------------ instructions */

/* Returns how many slots of the stream's commit width a slot of the hart counts as. */
static uint64_t weight_of(const struct tr_counts *c, uint32_t hart)
{
	return c->width > 1 ? c->width / tr_header_hart_width(c->header, hart) : 1;
}

/* Returns the row of an instruction's lost slots; NULL when out of memory. */
static uint64_t *lost_of(struct tr_counts *c, struct counted_insn *insn)
{
	if (insn->lost == COUNTS_NONE) {
		if (c->nlost >= COUNTS_NONE - 1 ||
		    !tr_grow(&c->lost, &c->lost_room, (c->nlost + 1) * c->columns,
			     sizeof(*c->lost))) {
			c->failed = true;
			return NULL;
		}
		insn->lost = (uint32_t)c->nlost++;
		memset(&c->lost[(size_t)insn->lost * c->columns], 0,
		       c->columns * sizeof(*c->lost));
	}
	return &c->lost[(size_t)insn->lost * c->columns];
}

static void add_runs(const struct tr_counts *c, uint64_t *lost, const struct tr_run *runs,
		     unsigned nruns, uint64_t weight)
{
	for (unsigned i = 0; i < nruns; i++)
		if (runs[i].class < c->columns)
			lost[runs[i].class] += runs[i].slots * weight;
}

void tr_counts_add_runs(const struct tr_counts *c, uint64_t *lost,
			const struct tr_run *runs, unsigned nruns, uint32_t hart)
{
	add_runs(c, lost, runs, nruns, weight_of(c, hart));
}

/* Returns the slots that runs lose to a set of classes. */
static uint64_t slots_of_set(uint32_t set, const struct tr_run *runs, unsigned nruns,
			     uint64_t weight)
{
	uint64_t slots = 0;
	for (unsigned i = 0; i < nruns; i++)
		if (set >> (runs[i].class & 31) & 1)
			slots += runs[i].slots * weight;
	return slots;
}

/* ------------------------------------------------------------ transfers of control */

/* Returns what is known of a hart; NULL if there are too many. */
static struct counted_last *last_of(struct tr_counts *c, uint32_t hart)
{
	uint32_t i = 0;
	while (i < c->nharts && c->last[i].hart != hart)
		i++;
	if (i == TR_MAX_HARTS)
		return NULL;
	if (i == c->nharts)
		c->last[c->nharts++] =
		    (struct counted_last){.hart = hart, .insn = COUNTS_NONE};
	return &c->last[i];
}

/* Control goes on at `pc`, where `runs` were lost first. */
static void settle_transfer(struct tr_counts *c, struct counted_last *last, uint64_t pc,
			    const struct tr_run *runs, unsigned nruns)
{
	if (last->insn == COUNTS_NONE)
		return;
	struct counted_insn *from = &c->insns[last->insn];
	const uint64_t slots =
	    slots_of_set(c->mispredicts, runs, nruns, weight_of(c, last->hart));
	if (from->is_branch && last->has_target && last->target != last->next) {
		from->taken += pc == last->target;
		from->untaken += pc == last->next;
	}
	from->penalty += slots;
	if (c->flag == COUNTS_NONE)
		from->mispredicted += slots != 0;
	last->insn = COUNTS_NONE;
}

/* Remembers the last instruction of a piece, if it transfers control. */
static void keep_transfer(struct tr_counts *c, struct counted_last *last, uint32_t id,
			  uint64_t pc)
{
	const struct counted_insn *insn = &c->insns[id];
	last->insn = COUNTS_NONE;
	if (!insn->is_transfer || !insn->has_code)
		return;
	last->insn = id;
	last->next = pc + insn->bytes;
	last->has_target =
	    tr_decode_target(insn->code, insn->bytes, c->isa, pc, &last->target);
}

/* Counts the hits of the probe on mispredicted commits in a part of a row. */
static void count_flags(struct tr_counts *c, struct counted_last *last,
			const struct tr_unwind_run *run, const uint32_t *ids)
{
	const struct tr_hart_frame *part = last->part;
	for (; part && last->hit < part->nevents; last->hit++) {
		const struct tr_event *event = &part->events[last->hit];
		if (event->row > run->row ||
		    (event->row == run->row && event->token >= run->end))
			return;
		if (event->kind == TR_EV_PROBE && event->u.probe.probe == c->flag &&
		    event->row == run->row && event->token >= run->first)
			c->insns[ids[event->token - run->first]].mispredicted++;
	}
}

/* ------------------------------------------------------------ what the unwinder calls */

/* Counts the stalls of a run's instructions. */
static void count_stalls(struct tr_counts *c, const struct tr_unwind_run *run,
			 const uint32_t *ids, uint64_t weight)
{
	const struct tr_timing *timing = run->timing;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (stall->token < run->first || stall->token >= run->end)
			continue;
		struct counted_insn *insn = &c->insns[ids[stall->token - run->first]];
		const struct tr_run *runs = &timing->runs[stall->first_run];
		insn->more_cycles += stall->cycles - 1;
		insn->missed += slots_of_set(c->misses, runs, stall->nruns, 1) != 0;
		uint64_t *lost = stall->nruns ? lost_of(c, insn) : NULL;
		if (lost)
			add_runs(c, lost, runs, stall->nruns, weight);
	}
}

/* Returns the runs of the first instruction of a run. */
static const struct tr_run *first_runs(const struct tr_unwind_run *run, unsigned *nruns)
{
	const struct tr_timing *timing = run->timing;
	*nruns = 0;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (stall->token > run->first)
			break;
		if (stall->token == run->first) {
			*nruns = stall->nruns;
			return &timing->runs[stall->first_run];
		}
	}
	return NULL;
}

/* Counts a part of a run. What is charged to a function that only the rows of stacks will
 * tell is held. */
static int count_run(struct tr_counts *c, const struct tr_unwind_run *run, bool is_wanted)
{
	struct counted_last *last = last_of(c, run->hart);
	if (!last)
		return TR_E_NOMEM;
	last->insn = COUNTS_NONE;
	if (run->func >= c->nfuncs || !is_wanted) {
		const uint64_t cycles = tr_counts_leave_out(c, run);
		c->held_wanted += is_wanted ? cycles : 0;
		return TR_OK;
	}
	const uint32_t id = tr_counts_piece_of(c, run);
	if (id == COUNTS_NONE)
		return TR_E_NOMEM;
	struct counted_piece *piece = &c->pieces[id];
	const uint32_t *ids = &c->ids[piece->first];
	piece->executions++;
	count_stalls(c, run, ids, weight_of(c, run->hart));
	if (c->flag != COUNTS_NONE)
		count_flags(c, last, run, ids);
	uint64_t pc = run->pc + (c->insns[ids[piece->count - 1]].address - run->address);
	keep_transfer(c, last, ids[piece->count - 1], pc);
	if (c->slices && tr_slices_run(c, run, id))
		return TR_E_NOMEM;
	return c->failed ? TR_E_NOMEM : TR_OK;
}

static int take_run(void *user, const struct tr_unwind_run *run)
{
	struct tr_counts *c = user;
	struct counted_last *last = last_of(c, run->hart);
	unsigned nruns;
	if (!last)
		return TR_E_NOMEM;
	const struct tr_run *runs = first_runs(run, &nruns);
	if (!run->first && run->follows)
		settle_transfer(c, last, run->pc, runs, nruns);
	if (c->contexts)
		return tr_counts_run_by_context(c, run, count_run);
	return c->is_cut ? tr_counts_cut_run(c, run, count_run) : count_run(c, run, true);
}

static int take_trap(void *user, const struct tr_unwind_trap *trap)
{
	struct tr_counts *c = user;
	const struct tr_event *event = trap->event;
	struct counted_last *last = last_of(c, trap->hart);
	const bool is_known = trap->binary < TR_NOTE_AMBIGUOUS;
	if (!last)
		return TR_E_NOMEM;
	if (is_known)
		settle_transfer(c, last, event->u.trap.epc, event->u.trap.runs,
				event->u.trap.nruns);
	last->insn = COUNTS_NONE;
	if (c->is_cut && tr_counts_cut_trap(c, trap))
		return TR_OK;
	if (c->contexts)
		c->context =
		    tr_selection_key_of_trap(c->contexts, trap->hart, event->cycles);
	if (trap->func >= c->nfuncs) {
		c->held.cycles += event->cycles;
		c->held_wanted += event->cycles;
		add_runs(c, c->held.lost, event->u.trap.runs, event->u.trap.nruns,
			 weight_of(c, trap->hart));
		return TR_OK;
	}
	const uint32_t id =
	    tr_counts_insn_at(c, trap->func, is_known ? trap->binary : TR_NOTE_UNKNOWN,
			      is_known ? trap->address : 0);
	if (id == COUNTS_NONE)
		return TR_E_NOMEM;
	struct counted_insn *insn = &c->insns[id];
	if (c->slices && tr_slices_trap(c, trap, id))
		return TR_E_NOMEM;
	insn->traps++;
	insn->more_cycles += event->cycles;
	uint64_t *lost = event->u.trap.nruns ? lost_of(c, insn) : NULL;
	if (lost)
		add_runs(c, lost, event->u.trap.runs, event->u.trap.nruns,
			 weight_of(c, trap->hart));
	return c->failed ? TR_E_NOMEM : TR_OK;
}

static int take_func(void *user, const struct tr_func *func)
{
	struct tr_counts *c = user;
	char *name = tr_arena_take(&c->text, strlen(func->name) + 1);
	char *binary = tr_arena_take(&c->text, strlen(func->binary) + 1);
	if (!name || !binary ||
	    !tr_grow(&c->funcs, &c->funcs_room, c->nfuncs + 1, sizeof(*c->funcs)))
		return TR_E_NOMEM;
	strcpy(name, func->name);
	strcpy(binary, func->binary);
	c->funcs[c->nfuncs++] = (struct counted_func){.told = {.name = name,
							       .binary = binary,
							       .address = func->address,
							       .kind = func->kind}};
	return TR_OK;
}

static int take_node(void *user, const struct tr_node *node)
{
	struct tr_counts *c = user;
	if (!tr_grow(&c->func_of_node, &c->nodes_room, c->nnodes + 2,
		     sizeof(*c->func_of_node)))
		return TR_E_NOMEM;
	c->func_of_node[++c->nnodes] = node->func;
	return TR_OK;
}

static int take_thread(void *user, const struct tr_thread *thread)
{
	(void)user;
	(void)thread;
	return TR_OK;
}

static int take_context(void *user, uint32_t hart, const struct tr_scontext *context)
{
	(void)user;
	(void)hart;
	(void)context;
	return TR_OK;
}

static int take_srow(void *user, uint32_t hart, const struct tr_srow *row,
		     const struct tr_class_cycles *classes)
{
	struct tr_counts *c = user;
	struct counted_func *func = &c->funcs[c->func_of_node[row->node]];
	const uint64_t weight = weight_of(c, hart);
	func->cycles += row->cycles;
	func->instructions += row->instructions;
	for (unsigned i = 0; i < row->nclasses; i++)
		if (classes[i].class)
			func->lost[classes[i].class] += classes[i].cycles * weight;
	return TR_OK;
}

struct tr_unwind_sink tr_counts_sink(struct tr_counts *c)
{
	return (struct tr_unwind_sink){.user = c,
				       .run = take_run,
				       .trap = take_trap,
				       .func = take_func,
				       .node = take_node,
				       .thread = take_thread,
				       .scontext = take_context,
				       .srow = take_srow};
}

void tr_counts_frame(struct tr_counts *c, const struct tr_frame *frame)
{
	if (frame->generation != c->generation)
		memset(c->piece_of_block, 0xff, c->nblocks * sizeof(*c->piece_of_block));
	c->generation = frame->generation;
	for (uint32_t i = 0; i < c->nharts; i++)
		c->last[i].part = NULL;
	for (uint32_t i = 0; i < frame->nharts; i++) {
		struct counted_last *last = last_of(c, frame->harts[i].hart);
		if (!last)
			continue;
		last->part = &frame->harts[i];
		last->hit = 0;
	}
}
