/* SPDX-License-Identifier: Apache-2.0 */
/* Passes a machine's rows, tokens and events to the stream writer. */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "trace_header.h"

enum { MAX_RUNS = 64 };

/* Input of an instruction whose row is still to come. */
struct held {
	struct tr_event event;
	uint64_t instret; /* before it */
};

/* A hart in the stream. */
struct lane {
	struct tr_context context;   /* current context */
	uint64_t cycle, instret;     /* after the last token or gap */
	uint64_t window;	     /* instret before it */
	uint64_t tokens, interrupts; /* of all windows */
	unsigned width;		     /* commit slots of a cycle */
	bool begun, opened;
	struct held *held;
	size_t room, first, count; /* of `held`: those from `first` wait */
};

struct trace {
	const struct machine *machine;
	struct tr_writer *writer;
	struct lane lanes[SOC_HARTS_MAX + 1];
	struct soc_trap fault; /* the last page fault; cause 0: none */
	uint64_t fault_satp;
	int status, error;
	bool triggers, snapshots;
	uint32_t ncounters;
	struct tr_run room[MAX_RUNS]; /* for truncated runs */
};

/* Keeps the first error, with its errno. */
static void keep_first_error(struct trace *t, int status)
{
	if (status == TR_OK || t->status != TR_OK)
		return;
	t->status = status;
	t->error = errno;
}

struct trace *trace_new(const struct machine *machine,
			const struct trace_options *options)
{
	const struct tr_writer_options plain = {.level = 0, .threads = 1};
	struct trace *t = calloc(1, sizeof(*t));
	struct tr_header *header = tr_header_new();

	if (!t || !header) {
		tr_header_free(header);
		free(t);
		return NULL;
	}
	t->machine = machine;
	for (unsigned hart = 0; hart < trace_harts(machine); hart++)
		t->lanes[hart].width =
		    trace_hart_width(options->simulator, machine, hart);
	t->triggers = options->triggers;
	t->snapshots =
	    machine->harts == 1 || strcmp(options->simulator->precision, "cycles") == 0;
	t->ncounters = (uint32_t)options->nchosen;
	keep_first_error(t, trace_fill_header(header, machine, options));
	if (t->status == TR_OK)
		keep_first_error(t,
				 tr_writer_open(&t->writer, options->fd, header, &plain));
	tr_header_free(header);
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	if (t->writer)
		tr_writer_close(t->writer);
	for (unsigned i = 0; i <= SOC_HARTS_MAX; i++)
		free(t->lanes[i].held);
	free(t);
}

int trace_status(const struct trace *t, int *error)
{
	*error = t->error;
	return t->status;
}

static void put_trace_event(struct trace *t, unsigned hart, const struct tr_event *event)
{
	if (t->status == TR_OK)
		keep_first_error(t, tr_writer_event(t->writer, hart, event));
	tr_context_apply(&t->lanes[hart].context, event);
}

/* Emits events that switch to the context in which the window opens. */
static void switch_to_context(struct trace *t, unsigned hart, const struct tr_context *to)
{
	const struct tr_context *context = &t->lanes[hart].context;

	if (context->hgatp != to->hgatp)
		put_trace_event(t, hart,
				&(struct tr_event){.kind = TR_EV_HGATP,
						   .u.hgatp = {.hgatp = to->hgatp}});
	if (context->satp != to->satp)
		trace_satp(t, hart, to->satp);
	if (context->priv != to->priv)
		put_trace_event(
		    t, hart,
		    &(struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = to->priv}});
	if (context->tp != to->tp)
		trace_reg(t, hart, TR_REG_TP, to->tp);
}

bool trace_takes_snapshots(const struct trace *t)
{
	return t->snapshots;
}

void trace_begin_window(struct trace *t)
{
	for (unsigned i = 0; i < t->machine->harts && t->status == TR_OK; i++)
		keep_first_error(t, tr_writer_cut(t->writer, i));
	if (t->status == TR_OK)
		keep_first_error(t, tr_writer_flush(t->writer));
}

void trace_open(struct trace *t, unsigned hart, const struct machine_state *state)
{
	const struct tr_context *context = &state->context;
	struct lane *lane = &t->lanes[hart];
	/* The last window may have opened, and closed, in the middle of this token. */
	uint64_t cycle = state->cycle > lane->cycle ? state->cycle : lane->cycle;
	struct tr_event gap = {.kind = TR_EV_GAP, .cycles = cycle - lane->cycle};

	const bool is_sample = hart >= t->machine->harts;

	if (!lane->begun) {
		if (t->status == TR_OK)
			keep_first_error(
			    t, tr_writer_begin(t->writer, hart, cycle, context));
		lane->context = *context;
		gap.cycles = 0;
	}
	if (lane->begun || is_sample) {
		/* Windows of several commits in a cycle may overlap. */
		if (state->instret > lane->instret)
			gap.u.gap.tokens = state->instret - lane->instret;
		gap.u.gap.reason = TR_GAP_UNTRACED;
		put_trace_event(t, hart, &gap);
		switch_to_context(t, hart, context);
	}
	lane->begun = lane->opened = true;
	lane->cycle = cycle;
	lane->instret = lane->window = state->instret;
	if (state->has_sp)
		trace_reg(t, hart, TR_REG_SP, state->sp);
	if (t->triggers)
		put_trace_event(
		    t, hart, &(struct tr_event){.kind = TR_EV_TRIGGER, .u.trigger = {1}});
}

bool trace_has_tokens(const struct trace *t, unsigned hart)
{
	return t->lanes[hart].instret > t->lanes[hart].window;
}

void trace_close(struct trace *t, unsigned hart)
{
	if (t->triggers)
		put_trace_event(
		    t, hart, &(struct tr_event){.kind = TR_EV_TRIGGER, .u.trigger = {0}});
}

/* Returns the timing of a WFI: one token of several cycles. */
static uint32_t sleep_timing(struct trace *t, unsigned hart)
{
	struct lane *lane = &t->lanes[hart];
	struct tr_stall stall;
	struct tr_timing timing = {.stalls = &stall, .nstalls = 1};
	uint32_t id = 0;

	stall = (struct tr_stall){.cycles =
				      machine_hart(t->machine, hart).cycle - lane->cycle};
	timing.extra = (int64_t)stall.cycles - 1;
	lane->cycle += stall.cycles - 1;
	keep_first_error(t, tr_writer_timing(t->writer, &timing, &id));
	return id;
}

static uint32_t block_id(struct trace *t, const struct soc_row *row)
{
	struct tr_block block = {
	    .pc = row->pc, .code = row->code, .tokens = row->count, .bytes = row->bytes};
	uint64_t stamp = tr_writer_generation(t->writer) + 1;
	struct soc_row_cache *cache = row->cache;
	uint32_t id = 0;

	if (cache && cache->stamp == stamp && cache->pc == row->pc)
		return cache->id;
	keep_first_error(t, tr_writer_block(t->writer, &block, &id));
	if (cache)
		*cache = (struct soc_row_cache){stamp, row->pc, id};
	return id;
}

/* Emits the nondeterministic input of the row's instructions. */
static void release_held_events(struct trace *t, unsigned hart, unsigned tokens)
{
	struct lane *lane = &t->lanes[hart];

	while (lane->first < lane->count &&
	       lane->held[lane->first].instret - lane->instret < tokens) {
		struct held *held = &lane->held[lane->first++];

		held->event.token = (uint16_t)(held->instret - lane->instret);
		put_trace_event(t, hart, &held->event);
	}
	if (lane->first == lane->count)
		lane->first = lane->count = 0;
}

void trace_row(struct trace *t, unsigned hart, const struct soc_row *row)
{
	struct lane *lane = &t->lanes[hart];
	uint32_t timing = 0;

	if (t->status != TR_OK)
		return;
	uint32_t block = block_id(t, row);
	if (row->slept)
		timing = sleep_timing(t, hart);
	if (lane->count)
		release_held_events(t, hart, row->count);
	if (t->status == TR_OK)
		keep_first_error(t, tr_writer_row(t->writer, hart, block, timing));
	lane->cycle += row->count;
	lane->instret += row->count;
	lane->tokens += row->count;
}

/* Trims the runs of a token in whose middle the window opens: cycles before the window
 * and their runs are dropped. `most` slots remain. */
static const struct tr_run *trim_runs(struct trace *t, const struct tr_run *runs,
				      unsigned *nruns, uint64_t most)
{
	unsigned n = 0;

	for (unsigned i = *nruns; i > 0 && most > 0 && n < MAX_RUNS; i--) {
		struct tr_run run = runs[i - 1];

		if (run.slots > most)
			run.slots = (uint32_t)most;
		most -= run.slots;
		t->room[MAX_RUNS - ++n] = run;
	}
	*nruns = n;
	return t->room + MAX_RUNS - n;
}

/* Removes the first token of a window from the batch, whose last token commits in
 * `cycle`. */
static void trace_first(struct trace *t, unsigned hart, struct tr_batch *batch,
			uint64_t cycle)
{
	struct lane *lane = &t->lanes[hart];
	const struct tr_stall *stall = batch->stalls;
	unsigned stalled = batch->nstalls && stall->token == batch->first;
	unsigned nruns = stalled ? stall->nruns : 0;
	const struct tr_run *runs = stalled ? batch->runs + stall->first_run : NULL;
	uint64_t bits = batch->tokens->bits;

	cycle -= batch->count - 1;
	for (unsigned i = stalled; i < batch->nstalls; i++)
		cycle -= stall[i].cycles - 1;
	const uint64_t cycles = cycle - lane->cycle;
	runs = trim_runs(t, runs, &nruns, cycles ? cycles * lane->width - 1 : 0);
	keep_first_error(t, tr_writer_token(t->writer, hart, batch->tokens->pc, bits,
					    tr_insn_length((unsigned)bits),
					    cycle - lane->cycle, runs, nruns));
	tr_batch_skip(batch, 1, stalled);
	lane->opened = false;
}

void trace_tokens(struct trace *t, unsigned hart, const struct tr_batch *batch,
		  uint64_t cycle)
{
	struct lane *lane = &t->lanes[hart];
	struct tr_batch rest = *batch;

	if (t->status != TR_OK)
		return;
	if (lane->opened)
		trace_first(t, hart, &rest, cycle);
	keep_first_error(t, tr_writer_tokens(t->writer, hart, &rest));
	lane->cycle = cycle;
	lane->instret += batch->count;
	lane->tokens += batch->count;
}

void trace_trap(struct trace *t, unsigned hart, const struct soc_trap *trap)
{
	const struct machine *m = t->machine;
	struct lane *lane = &t->lanes[hart];
	struct tr_event event = {.kind = TR_EV_TRAP, .cycles = trap->cycle - lane->cycle};

	lane->cycle = trap->cycle;
	lane->interrupts += trap->cause >> 63;
	if (trap->cause == 12 || trap->cause == 13 || trap->cause == 15) {
		t->fault = *trap;
		t->fault_satp = lane->context.satp;
	}
	event.u.trap.cause = trap->cause;
	event.u.trap.tval = trap->tval;
	event.u.trap.epc = trap->epc;
	event.u.trap.priv = trap->priv;
	event.u.trap.runs = m->runs;
	event.u.trap.nruns = (uint8_t)m->nruns;
	put_trace_event(t, hart, &event);
}

void trace_count(const struct trace *t, unsigned hart, uint64_t *instructions,
		 uint64_t *interrupts)
{
	*instructions = t->lanes[hart].tokens;
	*interrupts = t->lanes[hart].interrupts;
}

void trace_xret(struct trace *t, unsigned hart, unsigned priv)
{
	put_trace_event(
	    t, hart,
	    &(struct tr_event){.kind = TR_EV_XRET, .u.xret = {.priv = (uint8_t)priv}});
}

bool trace_page_fault(const struct trace *t, struct soc_trap *trap, uint64_t *satp)
{
	*trap = t->fault;
	*satp = t->fault_satp;
	return t->fault.cause != 0;
}

void trace_satp(struct trace *t, unsigned hart, uint64_t satp)
{
	put_trace_event(t, hart,
			&(struct tr_event){.kind = TR_EV_SATP, .u.satp = {.satp = satp}});
}

void trace_reg(struct trace *t, unsigned hart, unsigned reg, uint64_t value)
{
	put_trace_event(
	    t, hart,
	    &(struct tr_event){.kind = TR_EV_REG,
			       .u.reg = {.value = value, .reg = (uint8_t)reg}});
}

static struct tr_event event_of(const struct soc_input *input)
{
	struct tr_event event = {.kind = TR_EV_CSR_READ};

	if (input->kind == SOC_INPUT_CSR) {
		event.u.csr.number = input->csr;
		event.u.csr.value = input->value;
		return event;
	}
	if (input->kind == SOC_INPUT_TRANSLATION) {
		event.kind = TR_EV_TRANSLATION;
		event.u.translation.address = input->address;
		event.u.translation.store = input->store;
		return event;
	}
	event.kind = input->kind == SOC_INPUT_LOAD ? TR_EV_MMIO_LOAD : TR_EV_ATOMIC;
	event.u.access.address = input->address;
	event.u.access.size = input->size;
	event.u.access.value = input->value;
	return event;
}

void trace_input(struct trace *t, unsigned hart, const struct soc_input *input)
{
	struct lane *lane = &t->lanes[hart];
	struct held held = {event_of(input), lane->instret + input->ahead};

	if (input->ahead == 0) {
		put_trace_event(t, hart, &held.event);
		return;
	}
	if (!tr_grow(&lane->held, &lane->room, lane->count + 1, sizeof(*lane->held)))
		keep_first_error(t, TR_E_NOMEM);
	else
		lane->held[lane->count++] = held;
}

void trace_device_write(struct trace *t, uint64_t cycle, uint64_t address,
			const uint8_t *data, uint32_t size)
{
	put_trace_event(t, 0,
			&(struct tr_event){
			    .kind = TR_EV_DEVICE_WRITE,
			    .cycles = cycle - t->lanes[0].cycle,
			    .u.write = {.address = address, .data = data, .size = size}});
}

void trace_registers(struct trace *t, unsigned hart, uint64_t hash)
{
	put_trace_event(
	    t, hart,
	    &(struct tr_event){.kind = TR_EV_REGISTERS, .u.registers = {.hash = hash}});
}

void trace_memory(struct trace *t, uint64_t address, const uint8_t *data, uint32_t size)
{
	put_trace_event(t, 0,
			&(struct tr_event){
			    .kind = TR_EV_MEMORY,
			    .u.write = {.address = address, .data = data, .size = size}});
}

void trace_state(struct trace *t, unsigned hart, const char *text, uint32_t size,
		 bool back)
{
	if (!text)
		keep_first_error(t, TR_E_NOMEM);
	put_trace_event(
	    t, hart,
	    &(struct tr_event){
		.kind = TR_EV_STATE,
		.u.state = {.text = (const uint8_t *)text, .size = size, .back = back}});
}

void trace_counters(struct trace *t, uint64_t cycle, const uint64_t *values)
{
	put_trace_event(
	    t, 0,
	    &(struct tr_event){
		.kind = TR_EV_COUNTERS,
		.cycles = cycle - t->lanes[0].cycle,
		.u.counters = {.values = values, .set = 0, .count = t->ncounters}});
}

static int fill_end(struct tr_header *header, const struct trace_end *end)
{
	int status = tr_header_set(header, "end", end->how);

	if (!status)
		status = tr_header_set_u64(header, "status", end->status);
	if (!status && end->never)
		status = tr_header_set(header, "trigger", "never met");
	return status;
}

void trace_end(struct trace *t, const struct trace_end *end)
{
	struct tr_event gap = {.kind = TR_EV_GAP, .u.gap = {.reason = TR_GAP_END}};
	struct tr_header *header = tr_header_new();

	for (unsigned i = 0; i < t->machine->harts; i++) {
		if (!t->lanes[i].begun || end->cycle <= t->lanes[i].cycle)
			continue;
		gap.cycles = end->cycle - t->lanes[i].cycle;
		put_trace_event(t, i, &gap);
	}
	keep_first_error(t, header ? fill_end(header, end) : TR_E_NOMEM);
	if (t->status == TR_OK)
		keep_first_error(t, tr_writer_end(t->writer, header));
	tr_header_free(header);
}
