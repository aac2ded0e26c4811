/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the model from event to event of the trace. */
#include "replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lane.h"
#include "model/csr.h"
#include "model/state.h"

/* Returns the cycle in which the token after `instret` others of the hart commits, or the
 * last one in the frame. */
static uint64_t cycle_at(const struct lane *l, uint64_t instret)
{
	const struct tr_hart_frame *f = l->frame;
	uint64_t cycle = f->start_cycle, before = l->instret;
	uint32_t e = 0, row = 0;

	for (;; row++) {
		for (; e < f->nevents && f->events[e].row <= row; e++)
			if (f->events[e].kind == TR_EV_TRAP ||
			    f->events[e].kind == TR_EV_GAP)
				cycle += f->events[e].cycles;
		if (row == f->nrows || before + f->rows[row].tokens > instret)
			break;
		before += f->rows[row].tokens;
		cycle += f->rows[row].cycles;
	}
	if (row < f->nrows) {
		struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

		tr_tokens(tr_reader_block(l->replay->reader, f->rows[row].block),
			  tr_reader_timing(l->replay->reader, f->rows[row].timing),
			  tokens);
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
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	tr_reader_place(r->reader, &record, &byte);
	snprintf(r->message, sizeof r->message,
		 "record %" PRIu32 ", byte %" PRIu64 ": hart %u, cycle %" PRIu64
		 ", instruction %" PRIu64 ": %s",
		 record, byte, l->number, cycle_at(l, instret), instret + 1, why);
	r->failed = true;
	r->failed_at = instret;
	soc_request_stop(r->soc);
}

struct replay *replay_new(struct soc *soc, struct tr_reader *reader)
{
	struct replay *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	r->soc = soc;
	r->reader = reader;
	r->harts = soc_harts(soc);
	for (unsigned i = 0; i < r->harts; i++)
		r->lanes[i] = (struct lane){.replay = r, .number = i};
	told_set_hooks(r);
	supply_set_hooks(r);
	return r;
}

void replay_free(struct replay *r)
{
	static const struct soc_hooks none;

	if (!r)
		return;
	soc_set_follow(r->soc, NULL);
	soc_set_hooks(r->soc, &none);
	free(r);
}

const char *replay_message(const struct replay *r)
{
	return r->message;
}

const struct replay_counts *replay_counts(const struct replay *r)
{
	return &r->counts;
}

/* ------------------------------------------------------------ running the model */

/* Runs the hart up to this many instructions. */
static void run_to(struct lane *l, uint64_t instret)
{
	struct replay *r = l->replay;
	enum soc_stop stop = SOC_STOP_LIMIT;

	if (soc_instret(r->soc, l->number) < instret)
		stop = soc_run_hart(r->soc, l->number, instret);
	if (!r->failed && soc_instret(r->soc, l->number) != instret)
		replay_fail(l, soc_instret(r->soc, l->number), "%s",
			    stop == SOC_STOP_POWER ? "the model powers off"
						   : "the model traps without end");
	l->run.instret = instret;
	supply_check(l, instret);
}

/* Makes the model take the traps that stand before `event`, where no instruction
 * commits. */
static void take_traps(struct lane *l, uint32_t event)
{
	struct soc_event step;
	uint32_t before;

	do {
		before = l->told.event;
		if (!told_awaits_trap(l, event))
			return;
		soc_step_event(l->replay->soc, l->number, &step);
	} while (!l->replay->failed && l->told.event != before);
	told_check(l, l->told.row, event);
}

/* Runs the model up to the event, which stands between two rows. */
static void run_to_event(struct lane *l, uint32_t event, uint32_t row)
{
	uint64_t instret = l->run.instret;

	for (; l->run.row < row; l->run.row++)
		instret += l->frame->rows[l->run.row].tokens;
	run_to(l, instret);
	if (!l->replay->failed)
		take_traps(l, event);
	told_check(l, row, event);
	l->run.event = event;
}

/* ------------------------------------------------------------ events */

static void check_registers(struct lane *l, const struct tr_event *event)
{
	const struct soc *soc = l->replay->soc;
	uint64_t x[32], f[32], fcsr = 0;
	bool has_float = soc_csr(soc, l->number, CSR_FCSR, &fcsr);

	for (unsigned i = 0; i < 32; i++) {
		x[i] = soc_x(soc, l->number, i);
		f[i] = soc_f(soc, l->number, i);
	}
	l->replay->counts.hashes++;
	if (soc_hash_registers(x, has_float ? f : NULL, fcsr) != event->u.registers.hash)
		replay_fail(l, l->run.instret, "the registers differ");
}

static void interrupt(struct lane *l, const struct tr_event *event)
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

static bool is_acted_on(const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		return event->u.trap.cause & TR_CAUSE_INTERRUPT;
	case TR_EV_GAP:
	case TR_EV_DEVICE_WRITE:
	case TR_EV_REGISTERS:
		return true;
	default:
		return false;
	}
}

static void act(struct lane *l, const struct tr_event *event)
{
	if (event->kind == TR_EV_TRAP)
		interrupt(l, event);
	else if (event->kind == TR_EV_GAP)
		skip_gap(l, event);
	else if (event->kind == TR_EV_DEVICE_WRITE)
		device_write(l, event);
	else
		check_registers(l, event);
}

/* ------------------------------------------------------------ frames */

/* At the start the trace may report registers before the first instruction. */
static void check_start(struct lane *l)
{
	const struct tr_hart_frame *f = l->frame;
	uint64_t satp = 0;

	soc_csr(l->replay->soc, l->number, CSR_SATP, &satp);
	if (f->start.satp != satp || f->start.priv != soc_priv(l->replay->soc, l->number))
		replay_fail(l, l->instret,
			    "the trace begins in another state than the machine: trace "
			    "from reset, or from a checkpoint");
	while (l->told.event < f->nevents && f->events[l->told.event].row == 0) {
		const struct tr_event *event = &f->events[l->told.event];

		if (event->kind != TR_EV_REG && event->kind != TR_EV_TRIGGER)
			break;
		if (event->kind == TR_EV_REG &&
		    soc_x(l->replay->soc, l->number, event->u.reg.reg) !=
			event->u.reg.value)
			replay_fail(l, l->instret,
				    "the trace begins with x%u 0x%" PRIx64
				    ", the machine with 0x%" PRIx64,
				    event->u.reg.reg, event->u.reg.value,
				    soc_x(l->replay->soc, l->number, event->u.reg.reg));
		l->told.event++;
	}
}

static void begin(struct lane *l, const struct tr_hart_frame *frame)
{
	l->frame = frame;
	l->instret = soc_instret(l->replay->soc, l->number);
	l->told.row = l->told.event = 0;
	l->told.token = l->told.bytes = 0;
	l->told.instret = l->instret;
	l->run.row = l->run.event = 0;
	l->run.instret = l->instret;
	l->supply.row = l->supply.event = 0;
	l->supply.instret = l->instret;
	if (!l->begun)
		check_start(l);
	else
		told_begin(l);
	l->begun = true;
}

static void follow(struct lane *l)
{
	const struct tr_hart_frame *f = l->frame;

	for (uint32_t e = 0; e < f->nevents && !l->replay->failed; e++) {
		if (!is_acted_on(&f->events[e]))
			continue;
		run_to_event(l, e, f->events[e].row);
		if (!l->replay->failed)
			act(l, &f->events[e]);
	}
	if (!l->replay->failed)
		run_to_event(l, f->nevents, f->nrows);
	if (!l->replay->failed)
		supply_carry(l);
	l->replay->counts.instructions += f->tokens;
}

bool replay_frame(struct replay *r, const struct tr_frame *frame)
{
	r->stamp = frame->generation + 1;
	for (uint32_t i = 0; i < frame->nharts && !r->failed; i++) {
		if (frame->harts[i].hart >= r->harts) {
			snprintf(r->message, sizeof r->message,
				 "the trace has hart %" PRIu32 ", the machine %u of them",
				 frame->harts[i].hart, r->harts);
			r->failed = true;
			break;
		}
		begin(&r->lanes[frame->harts[i].hart], &frame->harts[i]);
		if (!r->failed)
			follow(&r->lanes[frame->harts[i].hart]);
	}
	return !r->failed;
}

bool replay_end(struct replay *r)
{
	for (unsigned i = 0; i < r->harts && !r->failed; i++)
		if (r->lanes[i].ncarried || r->lanes[i].nlate)
			replay_fail(&r->lanes[i], r->lanes[i].run.instret,
				    "the trace ends in the middle of an instruction");
	return !r->failed;
}
