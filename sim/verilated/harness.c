/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine. */
#include "harness_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "peek.h"

static void harness_request_stop(struct machine *m)
{
	harness_of(m)->stop = 1;
}

static void harness_state(const struct machine *m, struct machine_state *harness_state)
{
	const struct harness *h = harness_of_const(m);
	const struct hart *hart = &h->hart;

	harness_state->cycle = h->held ? h->rtl.since : h->rtl.cycle;
	harness_state->instret = h->rtl.tokens;
	harness_state->context = hart->context;
	hart_tell_sp(hart, h->held, rtl_x(&h->rtl, TR_REG_SP), harness_state);
}

static void harness_next(const struct machine *m, struct machine_next *harness_next)
{
	const struct harness *h = harness_of_const(m);
	const struct hart *hart = &h->hart;

	*harness_next = (struct machine_next){.pc = rtl_next_pc(&h->rtl)};
	if (!h->held)
		return;
	harness_next->known = true;
	harness_next->pc = hart->commit.pc;
	harness_next->insn = hart->commit.insn;
	harness_next->exit = harness_is_power_off(h);
	harness_next->begins = h->begins ? &h->execs : NULL;
}

static void harness_observe(struct machine *m)
{
	rtl_observe(&harness_of(m)->rtl, false);
}

static bool harness_watch(struct machine *m, const struct trigger *trigger)
{
	struct harness *h = harness_of(m);
	struct rtl_watch *w = &h->rtl.watches[h->rtl.nwatches];

	harness_observe(m);
	h->rtl.watches_any = true;
	if (trigger->kind == TRIGGER_EXIT) {
		h->watches_exit = true;
		return true;
	}
	if (trigger->kind == TRIGGER_EXEC)
		return exec_watch_add(&h->execs, trigger->exec);
	if (h->rtl.nwatches == RTL_WATCHES - 1) /* the last is for programs */
		return false;
	h->rtl.nwatches++;
	*w = (struct rtl_watch){.pc = trigger->value, .pc_mask = UINT64_MAX};
	if (trigger->kind == TRIGGER_INSN)
		*w = (struct rtl_watch){.insn = (uint32_t)trigger->value,
					.insn_mask = trigger->mask};
	return true;
}

static void harness_set_a1(struct machine *m, uint64_t value)
{
	harness_of(m)->a1 = value;
	rtl_set_x(&harness_of(m)->rtl, HARNESS_A1, value);
}

static bool harness_resume(struct machine *m, const struct soc_state *harness_state)
{
	struct harness *h = harness_of(m);
	struct hart *hart = &h->hart;

	h->resumed = malloc(sizeof(*h->resumed));
	if (!h->resumed)
		return false;
	*h->resumed = *harness_state;
	rtl_resume(&h->rtl, harness_state);
	hart->context.satp = harness_state->satp;
	hart->context.priv = (uint8_t)harness_state->priv;
	hart->context.tp = harness_state->x[TR_REG_TP];
	hart->awake = harness_state->cycle;
	return true;
}

static bool harness_snapshot(const struct machine *m, unsigned hart,
			     struct soc_state *harness_state, bool *back)
{
	const struct harness *h = harness_of_const(m);

	(void)hart;
	return !h->held &&
	       hart_snapshot(&h->hart, h->rtl.cycle, rtl_save, harness_state, back);
}

static void harness_memory_changes(struct machine *m, void *user, written_put *put)
{
	struct harness *h = harness_of(m);

	written_each(&h->written, user, put);
	if (put)
		written_each_modified(&h->rtl, rtl_l1d_modified, user, put);
}

static void harness_set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	harness_of(m)->hooks = *hooks;
	harness_of(m)->rtl.records = hooks->tokens != NULL;
}

static size_t harness_list_counters(const struct machine *m,
				    const struct machine_counter **list)
{
	return counters_list(harness_of_const(m)->counters, list);
}

static bool harness_choose_counters(struct machine *m, const size_t *numbers, size_t n)
{
	rtl_count_classes(&harness_of(m)->rtl);
	return counters_choose(harness_of(m)->counters, &harness_of(m)->rtl.cover,
			       numbers, n);
}

static void harness_control_counters(struct machine *m, enum machine_count how)
{
	counters_count(&harness_of(m)->rtl.cover, how);
}

static void harness_counter_values(const struct machine *m, uint64_t *values)
{
	counters_values(&harness_of_const(m)->rtl.cover, harness_of_const(m)->held,
			values);
}

static size_t harness_receive(struct machine *m, const uint8_t *data, size_t size)
{
	struct harness *h = harness_of(m);

	return rtl_rx_ready(&h->rtl) ? board_receive(&h->rx, data, size) : 0;
}

static enum soc_power harness_power(const struct machine *m, unsigned *status)
{
	uint32_t value;

	*status = 0;
	if (!harness_of_const(m)->off)
		return SOC_POWER_ON;
	rtl_power(&harness_of_const(m)->rtl, &value);
	return board_power(value, status);
}

static void harness_trap_chain(const struct machine *m, struct soc_trap *first,
			       struct soc_trap *last)
{
	*first = harness_of_const(m)->hart.traps.first;
	*last = harness_of_const(m)->hart.traps.last;
}

static const char *harness_explain(const struct machine *m, const struct tr_cli *cli)
{
	const struct harness *h = harness_of_const(m);

	tr_warn(cli, "cycle %" PRIu64 ": %s", h->rtl.cycle, h->failure);
	if (h->hart.lockstep)
		lockstep_report(h->hart.lockstep, stderr);
	return h->end;
}

static bool init_harness(struct harness *h, uint64_t ram_size)
{
	const struct l2_dram_hook hook = {.user = h, .written = harness_dma_written};
	const struct rtl_config config = {.ram_size = ram_size,
					  .has_float = h->options.has_float,
					  .has_copy = h->options.has_copy,
					  .mac = board_address(&h->options)};

	if (!soc_image_init(&h->image, ram_size) || !rtl_init(&h->rtl, &config) ||
	    !written_init(&h->written, &h->image))
		return false;
	if (h->options.lockstep)
		rtl_observe(&h->rtl, true);
	h->counters = counters_new();
	h->memory = l2_dram_new(h->image.ram, ram_size, &h->options.timing);
	if (h->options.nic)
		h->wire = board_wire(&h->options, &h->machine);
	if (!h->memory || (h->options.nic && !h->wire))
		return false;
	l2_dram_set_hook(h->memory, &hook);
	h->hart = (struct hart){.machine = h, .rtl = &h->rtl, .context.priv = TR_PRIV_M};
	h->machine.image = &h->image;
	h->machine.has_float = h->options.has_float;
	h->machine.runs = h->rtl.runs;
	h->rtl.skips = !h->options.no_skip;
	return h->counters;
}

struct machine *harness_new(uint64_t ram_size, const struct harness_options *options)
{
	static const struct machine_ops ops = {.run = harness_run,
					       .observe = harness_observe,
					       .request_stop = harness_request_stop,
					       .state = harness_state,
					       .next = harness_next,
					       .watch = harness_watch,
					       .set_a1 = harness_set_a1,
					       .resume = harness_resume,
					       .registers = harness_registers,
					       .snapshot = harness_snapshot,
					       .changes = harness_memory_changes,
					       .set_hooks = harness_set_hooks,
					       .counters = harness_list_counters,
					       .choose = harness_choose_counters,
					       .count = harness_control_counters,
					       .counts = harness_counter_values,
					       .receive = harness_receive,
					       .power = harness_power,
					       .chain = harness_trap_chain,
					       .explain = harness_explain};
	struct harness *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->options = *options;
	h->machine.ops = &ops;
	if (init_harness(h, ram_size))
		return &h->machine;
	harness_free(&h->machine);
	return NULL;
}

const char *harness_view(struct machine *m)
{
	struct harness *h = harness_of(m);

	return rtl_view(&h->rtl, h->options.wave, h->options.kanata);
}

const char *harness_view_end(struct machine *m)
{
	return rtl_view_end(&harness_of(m)->rtl);
}

void harness_free(struct machine *m)
{
	struct harness *h = harness_of(m);

	lockstep_free(h->hart.lockstep);
	soc_free(h->model);
	counters_free(h->counters);
	l2_dram_free(h->memory);
	if (h->wire && !h->failure)
		wire_leave(h->wire, h->rtl.cycle + 1);
	wire_free(h->wire);
	rtl_release(&h->rtl);
	written_release(&h->written);
	hart_release(&h->hart);
	soc_image_free(&h->image);
	free(h->resumed);
	free(h);
}
