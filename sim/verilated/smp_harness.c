/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL with several harts as a machine. */
#include "smp_harness.h"

#include <inttypes.h>
#include <stdlib.h>

#include "peek.h"
#include "smp_memory.h"
#include "smp_state.h"

static void smp_harness_observe(struct machine *m)
{
	smp_observe(&smp_harness_of(m)->smp, false);
}

static void smp_harness_request_stop(struct machine *m)
{
	smp_harness_of(m)->stop = 1;
}

static void smp_harness_hart_state(const struct machine *m, unsigned number,
				   struct machine_state *smp_harness_state)
{
	const struct smp_harness *h = smp_harness_of_const(m);
	const struct hart *hart = &h->harts[number];
	bool held = h->held && h->last == number;
	/* It has a token or a trap in this cycle, which has not been counted. */
	bool is_ahead = (h->smp.committed | h->smp.trapped) >> number & 1;

	smp_harness_state->cycle = is_ahead ? hart->rtl->since : h->smp.cycle;
	smp_harness_state->instret = hart->rtl->tokens;
	smp_harness_state->context = hart->context;
	hart_tell_sp(hart, held, smp_x(hart->rtl, TR_REG_SP), smp_harness_state);
	smp_harness_state->has_sp = smp_harness_state->has_sp && (held || !is_ahead);
}

static void smp_harness_state(const struct machine *m,
			      struct machine_state *smp_harness_state)
{
	smp_harness_hart_state(m, smp_harness_of_const(m)->last, smp_harness_state);
	smp_harness_state->instret = smp_harness_of_const(m)->smp.tokens;
}

static void smp_harness_next(const struct machine *m,
			     struct machine_next *smp_harness_next)
{
	const struct smp_harness *h = smp_harness_of_const(m);
	const struct rtl_commit *c = &h->harts[h->last].commit;

	*smp_harness_next =
	    (struct machine_next){.pc = smp_next_pc(h->harts[h->last].rtl)};
	if (h->held)
		*smp_harness_next =
		    (struct machine_next){.pc = c->pc,
					  .insn = c->insn,
					  .known = true,
					  .exit = smp_harness_is_power_off(h, c)};
}

static bool smp_harness_watch(struct machine *m, const struct trigger *trigger)
{
	struct smp_harness *h = smp_harness_of(m);
	struct rtl_watch w = {.pc = trigger->value, .pc_mask = UINT64_MAX};

	smp_observe(&h->smp, false);
	if (trigger->kind == TRIGGER_EXEC || h->smp.harts[0].nwatches == RTL_WATCHES) {
		smp_harness_fail(h, "failed",
				 "a trigger that needs a machine with one hart");
		return false;
	}
	h->watches_exit |= trigger->kind == TRIGGER_EXIT;
	if (trigger->kind == TRIGGER_INSN)
		w = (struct rtl_watch){.insn = (uint32_t)trigger->value,
				       .insn_mask = trigger->mask};
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct rtl *r = &h->smp.harts[i];

		r->watches_any = true;
		if (trigger->kind != TRIGGER_EXIT)
			r->watches[r->nwatches++] = w;
	}
	return true;
}

static void smp_harness_set_a1(struct machine *m, uint64_t value)
{
	smp_harness_of(m)->a1 = value;
	for (unsigned i = 0; i < SMP_HARTS; i++)
		smp_set_x(smp_harness_of(m)->harts[i].rtl, SMP_A1, value);
}

/* Between two cycles, all of whose tokens have been counted. */
static bool smp_harness_snapshot(const struct machine *m, unsigned hart,
				 struct soc_state *smp_harness_state, bool *back)
{
	const struct smp_harness *h = smp_harness_of_const(m);

	return !h->held && !h->smp.committed && !h->smp.trapped &&
	       hart_snapshot(&h->harts[hart], h->smp.cycle, smp_save, smp_harness_state,
			     back);
}

static void smp_harness_memory_changes(struct machine *m, void *user, written_put *put)
{
	struct smp_harness *h = smp_harness_of(m);

	written_each(&h->written, user, put);
	for (unsigned i = 0; put && i < SMP_HARTS; i++)
		written_each_modified(&h->smp.harts[i], smp_l1d_modified, user, put);
}

static void smp_harness_set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	smp_harness_of(m)->hooks = *hooks;
	for (unsigned i = 0; i < SMP_HARTS; i++)
		smp_harness_of(m)->harts[i].rtl->records = hooks->tokens != NULL;
}

static size_t smp_harness_list_counters(const struct machine *m,
					const struct machine_counter **list)
{
	return counters_list(smp_harness_of_const(m)->counters[0], list);
}

static bool smp_harness_choose_counters(struct machine *m, const size_t *numbers,
					size_t n)
{
	struct smp_harness *h = smp_harness_of(m);
	bool done = true;

	smp_count_classes(&h->smp);
	for (unsigned i = 0; i < SMP_HARTS; i++)
		done &=
		    counters_choose(h->counters[i], &h->smp.harts[i].cover, numbers, n);
	return done;
}

static void smp_harness_control_counters(struct machine *m, enum machine_count how)
{
	for (unsigned i = 0; i < SMP_HARTS; i++)
		counters_count(&smp_harness_of(m)->smp.harts[i].cover, how);
}

static void smp_harness_counter_values(const struct machine *m, uint64_t *values)
{
	const struct smp_harness *h = smp_harness_of_const(m);

	counters_values(&h->smp.harts[h->last].cover, h->held, values);
}

static size_t smp_harness_receive(struct machine *m, const uint8_t *data, size_t size)
{
	struct smp_harness *h = smp_harness_of(m);

	return smp_rx_ready(&h->smp) ? board_receive(&h->rx, data, size) : 0;
}

static enum soc_power smp_harness_power(const struct machine *m, unsigned *status)
{
	uint32_t value;

	*status = 0;
	if (!smp_harness_of_const(m)->off)
		return SOC_POWER_ON;
	smp_power(&smp_harness_of_const(m)->smp, &value);
	return board_power(value, status);
}

static void smp_harness_trap_chain(const struct machine *m, struct soc_trap *first,
				   struct soc_trap *last)
{
	const struct hart *hart =
	    &smp_harness_of_const(m)->harts[smp_harness_of_const(m)->last];

	*first = hart->traps.first;
	*last = hart->traps.last;
}

static const char *smp_harness_explain(const struct machine *m, const struct tr_cli *cli)
{
	const struct smp_harness *h = smp_harness_of_const(m);

	tr_warn(cli, "cycle %" PRIu64 ", hart %u: %s", h->smp.cycle, h->last, h->failure);
	if (h->harts[h->last].lockstep)
		lockstep_report(h->harts[h->last].lockstep, stderr);
	return h->end;
}

/* ------------------------------------------------------------ the machine */

static bool init_smp_harness(struct smp_harness *h, uint64_t ram_size)
{
	const struct rtl_config config = {.ram_size = ram_size,
					  .has_float = h->options.has_float,
					  .has_copy = h->options.has_copy,
					  .mac = board_address(&h->options)};

	if (!soc_image_init(&h->image, ram_size) || !smp_init(&h->smp, &config) ||
	    !written_init(&h->written, &h->image))
		return false;
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		h->harts[i] = (struct hart){.machine = h,
					    .number = i,
					    .rtl = &h->smp.harts[i],
					    .context.priv = TR_PRIV_M};
		smp_set_x(&h->smp.harts[i], SMP_A1 - 1, i);
		h->counters[i] = counters_new();
		if (!h->counters[i])
			return false;
	}
	if (h->options.lockstep)
		smp_observe(&h->smp, true);
	h->memory = smp_memory_new(h->image.ram, ram_size, SMP_HARTS, &h->options.timing);
	h->machine.image = &h->image;
	h->machine.has_float = h->options.has_float;
	h->machine.runs = h->smp.harts[0].runs;
	h->smp.skips = !h->options.no_skip;
	if (h->options.nic)
		h->wire = board_wire(&h->options, &h->machine);
	return h->memory && (h->wire || !h->options.nic);
}

struct machine *smp_harness_new(uint64_t ram_size, const struct harness_options *options)
{
	static const struct machine_ops ops = {.run = smp_harness_run,
					       .observe = smp_harness_observe,
					       .request_stop = smp_harness_request_stop,
					       .state = smp_harness_state,
					       .hart = smp_harness_hart_state,
					       .next = smp_harness_next,
					       .watch = smp_harness_watch,
					       .set_a1 = smp_harness_set_a1,
					       .registers = smp_harness_registers,
					       .snapshot = smp_harness_snapshot,
					       .changes = smp_harness_memory_changes,
					       .set_hooks = smp_harness_set_hooks,
					       .counters = smp_harness_list_counters,
					       .choose = smp_harness_choose_counters,
					       .count = smp_harness_control_counters,
					       .counts = smp_harness_counter_values,
					       .receive = smp_harness_receive,
					       .power = smp_harness_power,
					       .chain = smp_harness_trap_chain,
					       .explain = smp_harness_explain};
	struct smp_harness *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->options = *options;
	h->machine.ops = &ops;
	if (init_smp_harness(h, ram_size))
		return &h->machine;
	smp_harness_free(&h->machine);
	return NULL;
}

void smp_harness_free(struct machine *m)
{
	struct smp_harness *h = smp_harness_of(m);

	for (unsigned i = SMP_HARTS; i > 0; i--) {
		lockstep_free(h->harts[i - 1].lockstep);
		hart_release(&h->harts[i - 1]);
		counters_free(h->counters[i - 1]);
	}
	soc_free(h->model);
	smp_memory_free(h->memory);
	if (h->wire && !h->failure)
		wire_leave(h->wire, h->smp.cycle + 1);
	wire_free(h->wire);
	smp_release(&h->smp);
	written_release(&h->written);
	soc_image_free(&h->image);
	free(h);
}
