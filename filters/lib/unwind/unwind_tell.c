/* SPDX-License-Identifier: Apache-2.0 */
/* Passes on what is charged, and where: runs of instructions, traps and marks. */
#include "stream/reader.h"
#include "unwind/unwind_internal.h"

/* Returns the number of the function that is charged; UINT32_MAX: none, or it depends on
 * a root that is not known yet. */
static uint32_t func_charged(struct tr_unwind *u, const struct hart *h)
{
	const uint32_t sym = tr_nodes_sym(nodes_of(u), hart_node(h));
	return sym == SYM_NONE ? UINT32_MAX : tr_names_func(names_of(u), sym);
}

void tr_rows_tell_run(struct tr_unwind *u, const struct hart *h, const struct pair *p,
		      const struct tr_row *row, unsigned first, unsigned end)
{
	const struct tr_unwind_run run = {
	    .block = source_of(u)->block(source_of(u)->user, row->block),
	    .timing = source_of(u)->timing(source_of(u)->user, row->timing),
	    .pc = p->pc,
	    .address = p->address,
	    .binary = p->is_stub ? TR_NOTE_UNKNOWN : p->binary,
	    .func = func_charged(u, h),
	    .id = row->block,
	    .hart = hart_number(h),
	    .row = (uint32_t)(row - hart_part(h)->rows),
	    .cycle = hart_cycle(h),
	    .first = (uint16_t)first,
	    .end = (uint16_t)end,
	    .follows =
		hart_from(h)->flow > TR_FLOW_NEXT && hart_from(h)->flow <= TR_FLOW_SWAP};
	unwind_fail(status_of(u), u->sink.run(u->sink.user, &run));
}

/* Returns true if the code at an address of a file is of the function `sym`. */
static bool is_code_of(struct tr_unwind *u, uint32_t binary, uint64_t address,
		       uint32_t sym)
{
	struct tr_function f;
	return binary < options_of(u)->nprograms &&
	       source_of(u)->function(source_of(u)->user, binary, address, &f) &&
	       tr_names_function(names_of(u), binary, &f) == sym;
}

void tr_rows_tell_trap(struct tr_unwind *u, const struct hart *h,
		       const struct tr_event *event)
{
	const uint64_t epc = event->u.trap.epc;
	struct tr_unwind_trap trap = {.event = event,
				      .func = func_charged(u, h),
				      .hart = hart_number(h),
				      .binary = h->rows.near_binary,
				      .address = epc - h->rows.near_bias,
				      .cycle = hart_cycle(h)};
	struct space_object home;
	if (epc != TR_EPC_UNKNOWN &&
	    !is_code_of(u, trap.binary, trap.address, hart_sym(h)) &&
	    tr_spaces_home(spaces_of(u), hart_space(h), &home)) {
		trap.binary = home.binary;
		trap.address = epc - home.bias;
	}
	if (epc == TR_EPC_UNKNOWN ||
	    !is_code_of(u, trap.binary, trap.address, hart_sym(h)))
		trap.binary = TR_NOTE_UNKNOWN;
	unwind_fail(status_of(u), u->sink.trap(u->sink.user, &trap));
}

/* Returns the cycles of the first `tokens` tokens of a row. */
static uint64_t cycles_of_first(struct tr_unwind *u, const struct tr_row *row,
				unsigned tokens)
{
	const struct tr_timing *timing =
	    source_of(u)->timing(source_of(u)->user, row->timing);
	uint64_t cycles = tokens;
	for (uint32_t i = 0; i < timing->nstalls && timing->stalls[i].token < tokens; i++)
		cycles += timing->stalls[i].cycles - 1;
	return cycles;
}

void tr_rows_tell_mark(struct tr_unwind *u, struct hart *h, const struct segment *s,
		       const struct tr_row *row)
{
	const struct tr_unwind_mark mark = {.cycle = hart_cycle(h) +
						     cycles_of_first(u, row, s->first),
					    .hart = hart_number(h),
					    .mark = s->mark,
					    .name = s->name};
	tr_rows_flush(u, h);
	unwind_fail(status_of(u), u->sink.mark(u->sink.user, &mark));
}
