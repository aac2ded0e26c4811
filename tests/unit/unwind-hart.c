/* SPDX-License-Identifier: Apache-2.0 */
/* A hart: what begins with its part of a frame and what stays, the previous block, and
 * what the tracking of stacks keeps. */
#include <stdlib.h>

#include "check.h"
#include "unwind/stacks_hart.h"

static const struct tr_hart_frame PART = {
    .hart = 3,
    .start_cycle = 100,
    .start = {.priv = TR_PRIV_S, .satp = 5, .hgatp = 6, .space = 7}};

static void part_of_frame(void)
{
	struct tr_unwind_options options = {.has_priv = true, .has_satp = true};
	struct hart *h = tr_hart_new(3);
	CHECK(h != NULL);
	CHECK_EQ(hart_number(h), 3);
	tr_hart_begin_part(h, &options, &PART);
	hart_pass_event(h);
	hart_set_next_row(h, 4);
	hart_pass_cycles(h, 20);
	CHECK_EQ(hart_cycle(h), 120);
	CHECK_EQ(hart_context(h)->space, 7);
	hart_set_priv(h, TR_PRIV_U);
	/* What is not reported is kept, or of no use; the source's own stays. */
	options = (struct tr_unwind_options){.has_priv = false};
	tr_hart_begin_part(h, &options, &PART);
	CHECK_EQ(hart_next_event(h), 0);
	CHECK_EQ(hart_next_row(h), 0);
	CHECK_EQ(hart_cycle(h), 100);
	CHECK_EQ(hart_priv(h), TR_PRIV_U);
	CHECK_EQ(hart_context(h)->satp, 0);
	CHECK_EQ(hart_context(h)->space, 0);
	CHECK_EQ(hart_notes(h)->priv, TR_PRIV_S);
	CHECK_EQ(hart_notes(h)->satp, 5);
	free(h);
}

static void previous_block(void)
{
	struct hart *h = tr_hart_new(0);
	struct pair block = {.pc = 8, .flow = TR_FLOW_CALL};
	CHECK(h != NULL);
	CHECK_EQ(hart_from(h)->flow, FLOW_RESYNC);
	CHECK(hart_holds_from(h));
	hart_set_from(h, &block);
	CHECK(!hart_holds_from(h));
	hart_hold_from(h, &block);
	block.pc = 9;
	CHECK(hart_holds_from(h));
	CHECK_EQ(hart_from(h)->pc, 8);
	tr_flow_set(h, TR_FLOW_NEXT, 16);
	CHECK_EQ(hart_from(h)->pc, 16);
	CHECK_EQ(hart_from(h)->binary, TR_NOTE_UNKNOWN);
	free(h);
}

static void target_of_charges(void)
{
	struct hart *h = tr_hart_new(0);
	CHECK(h != NULL);
	hart_show_thread(h, 2, 3);
	hart_show_frame(h, 4, 5, 6);
	CHECK_EQ(hart_thread(h), 2);
	CHECK_EQ(hart_process(h), 3);
	CHECK_EQ(hart_node(h), 4);
	CHECK_EQ(hart_sym(h), 5);
	CHECK_EQ(hart_top(h), 6);
	hart_show_thread(h, 7, 8);
	CHECK_EQ(hart_node(h), 0);
	CHECK_EQ(hart_top(h), SYM_NONE);
	free(h);
}

static void conditions(void)
{
	struct hart *h = tr_hart_new(0);
	CHECK(h != NULL);
	CHECK(state_has(h, IS_ADRIFT));
	state_replace(h, HAS_PENDING);
	CHECK(!state_has(h, IS_ADRIFT));
	state_add(h, WROTE_TP);
	CHECK_EQ(state_has(h, WROTE_TP | IS_CHILD), WROTE_TP);
	state_drop(h, WROTE_TP | HAS_PENDING);
	CHECK(!state_is_any(h));
	free(h);
}

static void cycles(void)
{
	struct hart *h = tr_hart_new(0);
	CHECK(h != NULL);
	hart_pass_cycles(h, 10);
	hart_enter_stack(h, NULL);
	CHECK_EQ(tr_tracking_lap(h), 10);
	hart_pass_cycles(h, 5);
	CHECK_EQ(hart_stack_cycles(h), 5);
	CHECK_EQ(tr_tracking_lap(h), 5);
	CHECK_EQ(tr_tracking_lap(h), 0);
	free(h);
}

int main(void)
{
	part_of_frame();
	previous_block();
	target_of_charges();
	conditions();
	cycles();
	return check_done();
}
