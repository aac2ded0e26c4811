/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the model from event to event of the trace. */
#include "replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lane.h"
#include "model/state.h"

/* Returns the cycle in which the token after `instret` others of the hart commits, or the
 * last one in the view. */
static uint64_t cycle_at(const struct lane *l, uint64_t instret)
{
	const struct tr_hart_frame *f = &l->view;
	uint64_t cycle = f->start_cycle, before = l->instret;
	uint32_t e = 0, row = 0;

	for (;; row++) {
		for (; e < f->nevents && f->events[e].row <= row; e++)
			if (f->events[e].kind == TR_EV_TRAP ||
			    f->events[e].kind == TR_EV_GAP)
				cycle += f->events[e].cycles;
		if (row == f->nrows || before + lane_row(l, row)->tokens > instret)
			break;
		before += lane_row(l, row)->tokens;
		cycle += lane_row(l, row)->cycles;
	}
	if (row < f->nrows) {
		struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

		tr_tokens(lane_block(l, row), lane_timing(l, row), tokens);
		for (unsigned i = 0; i <= instret - before; i++)
			cycle += tokens[i].cycles;
	}
	return cycle;
}

void replay_fail(struct lane *l, uint64_t instret, const char *format, ...)
{
	struct replay *r = l->replay;
	char why[REPLAY_MESSAGE / 2];
	uint64_t byte;
	uint32_t record;
	va_list args;

	if (r->failed && r->failed_at <= instret)
		return;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	tr_reader_place(r->reader, &record, &byte);
	snprintf(r->message, sizeof(r->message),
		 "record %" PRIu32 ", byte %" PRIu64 ": hart %u, cycle %" PRIu64
		 ", instruction %" PRIu64 ": %s",
		 record, byte, l->number, cycle_at(l, instret), instret + 1, why);
	r->failed = true;
	r->failed_at = instret;
	soc_request_stop(r->soc);
}

void replay_fail_frame(struct replay *r, unsigned hart, const char *format, ...)
{
	char why[REPLAY_MESSAGE / 2];
	uint64_t byte;
	uint32_t record;
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	tr_reader_place(r->reader, &record, &byte);
	snprintf(r->message, sizeof(r->message),
		 "record %" PRIu32 ", byte %" PRIu64 ": hart %u: %s", record, byte, hart,
		 why);
	r->failed = true;
}

struct replay *replay_new(struct soc *soc, struct tr_reader *reader)
{
	struct replay *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->soc = soc;
	r->reader = reader;
	r->harts = soc_harts(soc);
	for (unsigned i = 0; i < r->harts; i++) {
		if (!lane_reset(&r->lanes[i], r, i)) {
			replay_free(r);
			return NULL;
		}
	}
	compare_set_hooks(r);
	inputs_set_hooks(r);
	return r;
}

void replay_free(struct replay *r)
{
	static const struct soc_hooks none;

	if (!r)
		return;
	for (unsigned i = 0; i < r->harts; i++)
		lane_free(&r->lanes[i]);
	watch_free(r);
	soc_set_follow(r->soc, NULL);
	soc_set_hooks(r->soc, &none);
	free(r);
}

const char *replay_message(const struct replay *r)
{
	return r->message;
}

uint64_t replay_rows(const struct replay *r, unsigned hart)
{
	const struct lane *l = &r->lanes[hart];

	return l->rows_before + l->run.row;
}

uint64_t replay_cycle(const struct replay *r, unsigned hart)
{
	return r->lanes[hart].run.cycle;
}

const struct replay_counts *replay_counts(const struct replay *r)
{
	return &r->counts;
}

void replay_continue(struct replay *r)
{
	r->failed = r->paused = r->lost = false;
	r->pending = NULL;
	watch_forget(r);
}

/* ------------------------------------------------------------ running the model */

void replay_to(struct lane *l, uint64_t instret)
{
	struct replay *r = l->replay;
	enum soc_stop stop = SOC_STOP_LIMIT;

	if (soc_instret(r->soc, l->number) < instret)
		stop = soc_run_hart(r->soc, l->number, instret);
	if (!r->failed && soc_instret(r->soc, l->number) != instret)
		replay_fail(l, soc_instret(r->soc, l->number),
			    stop == SOC_STOP_LOOP ? "the model traps without end"
						  : "the model stops here");
	l->run.instret = instret;
	inputs_check(l, instret);
	compare_check(l, l->run.event);
}

void replay_traps(struct lane *l, uint32_t event)
{
	struct soc_event step;
	uint32_t before;

	do {
		before = compare_place(l);
		if (!compare_awaits_trap(l, event))
			break;
		soc_step_event(l->replay->soc, l->number, &step);
	} while (!l->replay->failed && compare_place(l) != before);
	l->run.event = event;
	compare_check(l, event);
}

/* Returns the first event behind the traps that stand before the model's row. */
static uint32_t behind_traps(const struct lane *l)
{
	uint32_t e = l->run.event;

	while (e < l->view.nevents &&
	       (l->view.events[e].row < l->run.row ||
		(l->view.events[e].row == l->run.row && l->view.events[e].token == 0)))
		e++;
	return e;
}

void replay_to_row(struct lane *l, uint32_t row)
{
	uint64_t before = l->run.instret - l->run.token;
	unsigned from = l->run.token + l->passed;
	bool watches = l->replay->watch.reached;

	l->passed = false;
	while (l->run.row < row) {
		unsigned token =
		    watches ? watch_next(l, l->run.row, from, before) : UINT16_MAX;
		if (token == UINT16_MAX) {
			before += lane_row(l, l->run.row)->tokens;
			l->run.row++;
			from = 0;
			continue;
		}
		l->run.token = (uint16_t)token;
		replay_to(l, before + token);
		if (!l->replay->failed && token == 0)
			replay_traps(l, behind_traps(l));
		if (!l->replay->failed)
			watch_reached(l);
		if (replay_is_stopped(l->replay))
			return;
		from = token + 1;
	}
	l->run.token = 0;
	replay_to(l, before);
}

/* ------------------------------------------------------------ events */

static void check_registers(struct lane *l, const struct tr_event *event)
{
	const struct soc *soc = l->replay->soc;

	l->replay->counts.hashes++;
	if (soc_hash_hart(soc, l->number) != event->u.registers.hash)
		replay_fail(l, l->run.instret, "the registers differ");
}

static void take_traced_interrupt(struct lane *l, const struct tr_event *event)
{
	struct replay *r = l->replay;
	struct soc_trap first, last;

	r->interrupting = true;
	soc_interrupt(r->soc, l->number, event->u.trap.cause & 15);
	r->interrupting = false;
	r->counts.interrupts++;
	soc_trap_chain(r->soc, l->number, &first, &last);
	if (last.epc != event->u.trap.epc || last.priv != event->u.trap.priv)
		replay_fail(l, l->run.instret,
			    "the interrupt is taken at 0x%" PRIx64
			    " in the model, at 0x%" PRIx64 " in the trace",
			    last.epc, event->u.trap.epc);
}

static void device_write(struct lane *l, const struct tr_event *event)
{
	struct replay *r = l->replay;

	watch_external_write(l, event);
	old_code_note(r, event->u.write.address, event->u.write.size);
	r->counts.writes++;
	r->counts.written += event->u.write.size;
	if (!soc_write_physical(r->soc, event->u.write.address, event->u.write.data,
				event->u.write.size))
		replay_fail(l, l->run.instret,
			    "a device writes to 0x%" PRIx64 ", outside of memory",
			    event->u.write.address);
}

static void skip_gap(struct lane *l, const struct tr_event *event)
{
	if (event->u.gap.reason == TR_GAP_RESET || event->u.gap.reason == TR_GAP_END)
		return;
	replay_fail(l, l->run.instret,
		    "%" PRIu64
		    " instructions were not traced; a replay needs all of them",
		    event->u.gap.tokens);
}

bool replay_acts_on(const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		return event->u.trap.cause & TR_CAUSE_INTERRUPT;
	case TR_EV_GAP:
	case TR_EV_DEVICE_WRITE:
	case TR_EV_REGISTERS:
	case TR_EV_TRANSLATION:
		return true;
	default:
		return false;
	}
}

void replay_act(struct lane *l, const struct tr_event *event)
{
	if (event->kind == TR_EV_TRAP)
		take_traced_interrupt(l, event);
	else if (event->kind == TR_EV_GAP)
		skip_gap(l, event);
	else if (event->kind == TR_EV_DEVICE_WRITE)
		device_write(l, event);
	else if (event->kind == TR_EV_TRANSLATION)
		soc_translate_anew(l->replay->soc, l->number);
	else
		check_registers(l, event);
}

/* ------------------------------------------------------------ one hart */

void replay_begin_lane(struct lane *l)
{
	l->instret = soc_instret(l->replay->soc, l->number);
	l->run.instret = l->instret;
	inputs_start(l);
	old_code_start(l);
	l->run.cycle = l->view.start_cycle;
	compare_start(l);
	l->begun = true;
}

/* The lane has the next frame. */
static void note_frame(struct lane *l, const struct tr_hart_frame *frame)
{
	if (l->seeks_pc)
		window_find_pc(l);
	l->clock.row = l->clock.event = 0;
	l->clock.cycle = l->view.start_cycle;
	l->clock.context = l->view.start;
	if (frame->end_cycle > l->replay->latest)
		l->replay->latest = frame->end_cycle;
}

static void begin_lane_frame(struct lane *l, const struct tr_hart_frame *frame)
{
	if (!lane_begin(l, frame))
		replay_fail(l, l->run.instret, "out of memory");
	else if (!l->begun)
		replay_begin_lane(l);
	else
		compare_begin(l);
	l->replay->counts.instructions += frame->tokens;
	note_frame(l, frame);
}

/* Without other harts, the model stops only where it must. */
static void follow_alone(struct lane *l)
{
	const struct tr_hart_frame *f = &l->view;

	for (uint32_t e = l->run.event; e < f->nevents; e++) {
		if (!replay_acts_on(&f->events[e]))
			continue;
		replay_to_row(l, f->events[e].row);
		if (!replay_is_stopped(l->replay))
			replay_traps(l, e);
		if (replay_is_stopped(l->replay))
			return;
		replay_act(l, &f->events[e]);
		l->run.event = e + 1;
		if (l->replay->failed)
			return;
	}
	replay_to_row(l, f->nrows);
	if (!replay_is_stopped(l->replay))
		replay_traps(l, f->nevents);
	l->run.cycle = f->end_cycle;
}

/* ------------------------------------------------------------ frames */

/* Follows the frame that has begun, up to its end or a pause. */
static bool follow_begun_frame(struct replay *r)
{
	if (!r->failed && r->harts == 1)
		follow_alone(&r->lanes[0]);
	else if (!r->failed)
		replay_in_order(r);
	for (unsigned i = 0; i < r->harts && !replay_is_stopped(r); i++)
		if (r->lanes[i].begun && !lane_retain(&r->lanes[i]))
			replay_fail(&r->lanes[i], r->lanes[i].run.instret,
				    "out of memory");
	return !replay_is_stopped(r);
}

static bool has_harts(struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		if (frame->harts[i].hart < r->harts)
			continue;
		replay_fail_frame(r, frame->harts[i].hart,
				  "the machine has only %u hart%s", r->harts,
				  r->harts == 1 ? "" : "s");
		return false;
	}
	return true;
}

/* Follows a frame from its beginning or, if the model is elsewhere, from the state on
 * that the frame has of the machine. */
static bool follow_new_frame(struct replay *r, const struct tr_frame *frame)
{
	bool enters = r->lost;

	if (enters && !window_enter(r, frame))
		return !r->failed;
	for (uint32_t i = 0; i < frame->nharts && !r->failed; i++) {
		struct lane *l = &r->lanes[frame->harts[i].hart];

		if (enters)
			note_frame(l, &frame->harts[i]);
		else
			begin_lane_frame(l, &frame->harts[i]);
	}
	return follow_begun_frame(r);
}

/* Ends a window, and continues with the frame behind it. */
static bool pass_gap(struct replay *r)
{
	const struct tr_frame *frame = r->pending;

	if (!window_leave(r))
		return false;
	r->pending = NULL;
	return follow_new_frame(r, frame);
}

bool replay_frame(struct replay *r, const struct tr_frame *frame)
{
	if (!watch_begin(r, frame)) {
		snprintf(r->message, sizeof(r->message), "out of memory");
		r->failed = true;
	}
	r->generation = frame->generation;
	r->stamp = frame->generation + 1;
	if (r->failed || !has_harts(r, frame))
		return false;
	if (r->lost || !window_begins(r, frame))
		return follow_new_frame(r, frame);
	r->pending = frame;
	return pass_gap(r);
}

bool replay_finish(struct replay *r)
{
	r->latest = UINT64_MAX; /* nothing more will come */
	if (r->harts > 1 && !r->failed)
		replay_in_order(r);
	for (unsigned i = 0; i < r->harts && !replay_is_stopped(r); i++) {
		struct lane *l = &r->lanes[i];

		if (compare_is_deferred(l) || inputs_next(l) < l->view.nevents)
			replay_fail(l, l->run.instret,
				    "the trace ends in the middle of an instruction");
	}
	return !replay_is_stopped(r);
}

bool replay_end(struct replay *r)
{
	if (r->lost && !r->counts.windows) {
		snprintf(r->message, sizeof(r->message),
			 "the trace begins in the middle of the run, without the state "
			 "of the machine: trace with soc-sim or soc-model of this "
			 "version");
		r->failed = true;
	}
	return !r->failed && (r->lost || replay_finish(r));
}

void replay_pause(struct replay *r)
{
	r->paused = true;
}

bool replay_is_paused(const struct replay *r)
{
	return r->paused && !r->failed;
}

bool replay_resume(struct replay *r)
{
	r->paused = false;
	if (r->pending)
		return pass_gap(r);
	return r->latest == UINT64_MAX ? replay_end(r) : follow_begun_frame(r);
}
