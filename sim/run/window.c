/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of the trace: opens and closes them by triggers, and passes their contents
 * on. */
#include "window.h"

#include <string.h>

static void note_state(struct windows *w)
{
	w->state = machine_now(w->machine);
	for (unsigned i = 0; i < w->machine->harts; i++)
		w->harts[i] = machine_hart(w->machine, i);
	if (w->sampler)
		sampler_note(w->sampler);
}

/* Returns whether the window that opens needs a snapshot to be replayed: one at the very
 * beginning does not. */
static bool needs_snapshot(const struct windows *w)
{
	bool later = false;

	for (unsigned i = 0; i < w->machine->harts; i++)
		later |= w->harts[i].cycle != w->begin;
	return w->trace && trace_takes_snapshots(w->trace) && later;
}

static void open_window(struct windows *w)
{
	w->starting = false;
	w->on = w->met = true;
	if (w->machine->sample)
		w->machine->sample->on = true;
	if (w->trace)
		trace_begin_window(w->trace);
	for (unsigned i = 0; w->trace && i < w->machine->harts; i++)
		trace_open(w->trace, i, &w->harts[i]);
	w->lacks_state = needs_snapshot(w) && !w->snapshot.taken;
	if (needs_snapshot(w) && w->snapshot.taken)
		snapshot_put(&w->snapshot, w->trace);
	if (w->sampler)
		sampler_open(w->sampler, w->state.cycle);
}

/* At the end of a window, so that a replay checks the values of the last tokens too. */
static void trace_final_registers(struct windows *w)
{
	uint64_t hash;

	for (unsigned i = 0; w->trace && i < w->machine->harts; i++)
		if (w->machine->ops->registers(w->machine, i, &hash))
			trace_registers(w->trace, i, hash);
}

static void close_window(struct windows *w)
{
	w->on = false;
	if (w->machine->sample)
		w->machine->sample->on = false;
	trace_final_registers(w);
	if (w->sampler)
		sampler_close(w->sampler, machine_now(w->machine).cycle);
	for (unsigned i = 0; w->trace && i < w->machine->harts; i++)
		trace_close(w->trace, i);
	/* A replay of the window knows what has changed in it. */
	if (w->trace && trace_takes_snapshots(w->trace) && !w->lacks_state)
		w->machine->ops->changes(w->machine, NULL, NULL);
	w->lacks_state = false;
	w->late = UINT64_MAX;
}

static void keep_last(struct windows *w, unsigned hart, const struct soc_row *row)
{
	unsigned at = 0, next = 0;

	while (next < row->bytes) {
		at = next;
		next += tr_insn_length(row->code[at]);
	}
	w->last.hart = hart;
	w->last.pc = row->pc + at;
	w->last.bytes = (uint8_t)(row->bytes - at);
	memcpy(w->last.code, row->code + at, w->last.bytes);
}

static void window_on_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct windows *w = user;

	if (w->starting)
		open_window(w);
	if (!w->on)
		keep_last(w, hart, row);
	else if (w->trace)
		trace_row(w->trace, hart, row);
}

static void on_tokens(void *user, unsigned hart, const struct tr_batch *batch,
		      uint64_t cycle)
{
	struct windows *w = user;

	if (w->starting)
		open_window(w);
	if (w->on && w->trace)
		trace_tokens(w->trace, hart, batch, cycle);
}

/* Handles a trap in place of the token: a trigger on the token keeps waiting, a trigger
 * on the cycle applies to the next token. */
static void window_on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct windows *w = user;

	w->snapshot.taken = false;
	if (w->on && w->trace)
		trace_trap(w->trace, hart, trap);
	if (w->starting && w->start->kind == TRIGGER_CYCLE)
		note_state(w);
	else
		w->starting = false;
	if (w->stop->kind != TRIGGER_CYCLE)
		w->stopping = false;
}

static void window_on_xret(void *user, unsigned hart, unsigned priv)
{
	struct windows *w = user;

	if (w->on && w->trace)
		trace_xret(w->trace, hart, priv);
}

static void window_on_satp(void *user, unsigned hart, uint64_t satp)
{
	struct windows *w = user;

	if (w->on && w->trace)
		trace_satp(w->trace, hart, satp);
}

static void window_on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct windows *w = user;

	if (w->on && w->trace)
		trace_reg(w->trace, hart, reg, value);
}

static void on_soc_input(void *user, unsigned hart, const struct soc_input *input)
{
	struct windows *w = user;

	if (w->starting)
		open_window(w);
	if (w->on && w->trace)
		trace_input(w->trace, hart, input);
}

static void on_device_write(void *user, uint64_t cycle, uint64_t address,
			    const uint8_t *data, uint32_t size)
{
	struct windows *w = user;

	w->snapshot.taken = false;
	/* A window at the very beginning has no snapshot with what the device wrote. */
	if (w->starting && w->start->kind == TRIGGER_CYCLE && !needs_snapshot(w))
		open_window(w);
	if (w->on && w->trace)
		trace_device_write(w->trace, cycle, address, data, size);
}

static void on_registers(void *user, unsigned hart, uint64_t hash)
{
	struct windows *w = user;

	if (w->on && w->trace)
		trace_registers(w->trace, hart, hash);
}

static void window_on_uart(void *user, uint8_t byte)
{
	struct windows *w = user;

	console_put(w->console, byte);
}

/* Returns whether a token fires the trigger. It is then known when it is checked, and the
 * cycles before it have been counted. */
static bool waits_for_token(const struct trigger *trigger)
{
	return trigger->kind != TRIGGER_NONE && trigger->kind != TRIGGER_CYCLE;
}

/* Disables counting of cycles that cannot be in a window. */
static void set_counting(const struct windows *w)
{
	bool by_token = waits_for_token(w->start);
	enum machine_count how = MACHINE_COUNT;

	if (!w->sampler)
		return;
	if (!w->on && !w->starting && (w->finished || !by_token))
		how = MACHINE_COUNT_OFF;
	else if (by_token || waits_for_token(w->stop))
		how = MACHINE_COUNT_AHEAD;
	sampler_count(w->sampler, how);
}

/* Sets only the hooks needed now, because the others cost speed. */
static void set_needed_hooks(struct windows *w)
{
	struct machine_hooks hooks = {.user = w, .uart = window_on_uart};
	bool tokens =
	    w->on || w->starting || (w->start->kind == TRIGGER_EXIT && !w->foresees_exit);

	if (w->starting || w->stopping || (tokens && w->trace))
		hooks.trap = window_on_trap;
	if (tokens && w->trace) {
		hooks.row = window_on_row;
		hooks.tokens = on_tokens;
		hooks.xret = window_on_xret;
		hooks.satp = window_on_satp;
		hooks.reg = window_on_reg;
		hooks.input = on_soc_input;
		hooks.device_write = on_device_write;
		hooks.registers = on_registers;
	}
	w->machine->ops->set_hooks(w->machine, &hooks);
	set_counting(w);
}

static void watch_trigger(struct windows *w, const struct trigger *trigger)
{
	if (trigger->kind == TRIGGER_EXIT)
		w->foresees_exit = w->machine->ops->watch(w->machine, trigger);
	else if (waits_for_token(trigger))
		w->machine->ops->watch(w->machine, trigger);
}

static bool meets_start(const struct windows *w, uint64_t cycle,
			const struct machine_next *next)
{
	const struct trigger *start = w->start;

	return trigger_meets(start, cycle, next) ||
	       (start->kind == TRIGGER_EXIT && next->exit);
}

static bool meets_stop(const struct windows *w, uint64_t cycle,
		       const struct machine_next *next)
{
	return trigger_meets(w->stop, cycle, next);
}

void windows_consider(struct windows *w)
{
	uint64_t cycle = machine_now(w->machine).cycle;
	bool noted = w->starting;
	struct machine_next next;

	w->machine->ops->next(w->machine, &next);
	if (!w->on && meets_start(w, cycle, &next))
		w->starting = true;
	if ((w->on || w->starting) && meets_stop(w, cycle, &next))
		w->stopping = true;
	if (!w->starting && !w->stopping)
		return;
	if (!noted)
		note_state(w);
	if (!noted && w->starting && needs_snapshot(w))
		snapshot_take(&w->snapshot, NULL);
	w->step = w->state.instret + 1;
	set_needed_hooks(w);
}

/* Returns whether the start trigger can fire again. */
static bool can_restart(const struct windows *w)
{
	return waits_for_token(w->start) && w->start->kind != TRIGGER_EXIT;
}

void windows_snapshot(struct windows *w)
{
	w->late = UINT64_MAX;
	if (!w->lacks_state)
		return;
	w->lacks_state = !snapshot_take(&w->snapshot, w->trace);
	if (w->lacks_state)
		w->late = machine_now(w->machine).instret + 1;
	else
		snapshot_put(&w->snapshot, w->trace);
}

void windows_conclude(struct windows *w)
{
	const struct trigger *stop = w->stop;

	if (w->starting)
		open_window(w);
	windows_snapshot(w);
	/* A WFI owns more cycles than the one checked. */
	if (stop->kind == TRIGGER_CYCLE && stop->value >= w->state.cycle &&
	    stop->value < machine_now(w->machine).cycle)
		w->stopping = true;
	if (w->stopping && w->on) {
		close_window(w);
		w->finished = !can_restart(w);
	}
	w->starting = w->stopping = false;
	w->step = UINT64_MAX;
	set_needed_hooks(w);
}

static bool names_ahead(const struct trigger *trigger, uint64_t cycle)
{
	return trigger->kind == TRIGGER_CYCLE && trigger->value > cycle;
}

uint64_t windows_next_cycle(const struct windows *w)
{
	uint64_t cycle = machine_now(w->machine).cycle, next = UINT64_MAX;

	if (names_ahead(w->start, cycle))
		next = w->start->value;
	if (names_ahead(w->stop, cycle) && w->stop->value < next)
		next = w->stop->value;
	return next;
}

void windows_poll(struct windows *w)
{
	if (w->step == UINT64_MAX && ((w->start->kind == TRIGGER_CYCLE && !w->on) ||
				      w->stop->kind == TRIGGER_CYCLE))
		windows_consider(w);
}

void windows_begin(struct windows *w)
{
	w->step = w->late = UINT64_MAX;
	w->snapshot.machine = w->machine;
	w->begin = machine_now(w->machine).cycle;
	if (w->trace && w->machine->ops->observe)
		w->machine->ops->observe(w->machine);
	watch_trigger(w, w->start);
	watch_trigger(w, w->stop);
	note_state(w);
	if (w->start->kind == TRIGGER_NONE)
		open_window(w);
	set_needed_hooks(w);
	windows_poll(w);
}

/* For --start exit: traces the one token that powered the machine off. */
static void trace_last(struct windows *w)
{
	struct soc_row row = {
	    .pc = w->last.pc, .code = w->last.code, .count = 1, .bytes = w->last.bytes};

	note_state(w);
	w->state.cycle--;
	w->harts[w->last.hart].cycle--;
	w->harts[w->last.hart].instret--;
	open_window(w);
	if (w->trace)
		trace_row(w->trace, w->last.hart, &row);
}

void windows_power_off(struct windows *w)
{
	if (w->start->kind == TRIGGER_EXIT && !w->met)
		trace_last(w);
	if (w->stop->kind == TRIGGER_EXIT && w->on)
		close_window(w);
}

uint64_t windows_end(struct windows *w)
{
	uint64_t cycle = machine_now(w->machine).cycle;

	snapshot_release(&w->snapshot);
	if (!w->on)
		return 0;
	trace_final_registers(w);
	if (w->sampler)
		sampler_close(w->sampler, cycle);
	return cycle;
}
