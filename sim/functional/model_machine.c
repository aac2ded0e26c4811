/* SPDX-License-Identifier: Apache-2.0 */
#include "model_machine.h"

#include <stdlib.h>

#include "model/state.h"

enum { CSR_SATP = 0x180 };

struct model {
	struct machine machine; /* must be first */
	struct soc *soc;
	struct exec_watch watch;
	uint64_t looked; /* instructions before the last look that found a program */
	struct machine_hooks hooks;
	uint64_t hash_at; /* instructions before the next hash of the registers */
	uint64_t pause_at;
	uint64_t (*pause)(void *user);
	void *pause_user;
};

static struct soc *soc_of(const struct machine *m)
{
	return ((const struct model *)m)->soc;
}

static bool model_hash_registers(const struct machine *m, unsigned hart, uint64_t *hash)
{
	*hash = soc_hash_hart(soc_of(m), hart);
	return true;
}

static void model_tell_registers(struct model *model)
{
	uint64_t hash;

	if (soc_instret(model->soc, 0) < model->hash_at)
		return;
	model->hash_at = soc_instret(model->soc, 0) + SOC_HASH_EVERY;
	model_hash_registers(&model->machine, 0, &hash);
	model->hooks.registers(model->hooks.user, 0, hash);
}

/* Runs a machine of one hart that tells hashes of its registers. */
static enum soc_stop run_hashed(struct model *model, uint64_t instret, uint64_t cycle)
{
	enum soc_stop stop;

	do {
		uint64_t most = model->hash_at < instret ? model->hash_at : instret;

		stop = soc_run(model->soc, most, cycle);
		model_tell_registers(model);
	} while (stop == SOC_STOP_LIMIT && soc_instret(model->soc, 0) < instret &&
		 soc_cycle(model->soc, 0) < cycle);
	return stop;
}

static enum soc_stop run_to_pause(struct model *model, uint64_t instret, uint64_t cycle)
{
	if (!model->hooks.registers || soc_harts(model->soc) > 1)
		return soc_run(model->soc, instret, cycle);
	return run_hashed(model, instret, cycle);
}

static enum machine_stop model_run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	static const enum machine_stop stops[] = {
	    [SOC_STOP_LIMIT] = MACHINE_LIMIT, [SOC_STOP_REQUEST] = MACHINE_REQUEST,
	    [SOC_STOP_POWER] = MACHINE_POWER, [SOC_STOP_BREAK] = MACHINE_BREAK,
	    [SOC_STOP_IDLE] = MACHINE_IDLE,   [SOC_STOP_LOOP] = MACHINE_LOOP};
	struct model *model = (struct model *)m;

	for (;;) {
		const uint64_t pause = model->pause_at;
		const enum soc_stop stop =
		    run_to_pause(model, pause < instret ? pause : instret, cycle);

		if (stop != SOC_STOP_LIMIT || pause >= instret ||
		    soc_instret(model->soc, 0) < pause)
			return stops[stop];
		model->pause_at = model->pause(model->pause_user);
	}
}

void model_machine_pause(struct machine *m, uint64_t instret,
			 uint64_t (*pause)(void *user), void *user)
{
	struct model *model = (struct model *)m;

	model->pause_at = instret;
	model->pause = pause;
	model->pause_user = user;
}

struct soc *model_machine_soc(const struct machine *m)
{
	return soc_of(m);
}

static void model_request_stop(struct machine *m)
{
	soc_request_stop(soc_of(m));
}

static void model_hart_state(const struct machine *m, unsigned hart,
			     struct machine_state *model_state)
{
	const struct soc *soc = soc_of(m);

	*model_state = (struct machine_state){.cycle = soc_cycle(soc, hart),
					      .instret = soc_instret(soc, hart)};
	soc_csr(soc, hart, CSR_SATP, &model_state->context.satp);
	model_state->context.tp = soc_x(soc, hart, TR_REG_TP);
	model_state->sp = soc_x(soc, hart, TR_REG_SP);
	model_state->has_sp = true;
	model_state->context.priv = (uint8_t)soc_priv(soc, hart);
}

static void model_state(const struct machine *m, struct machine_state *model_state)
{
	const struct soc *soc = soc_of(m);

	model_hart_state(m, soc_current(soc), model_state);
	model_state->instret = 0;
	for (unsigned i = 0; i < soc_harts(soc); i++) {
		model_state->instret += soc_instret(soc, i);
		if (soc_cycle(soc, i) > model_state->cycle)
			model_state->cycle = soc_cycle(soc, i);
	}
}

static void model_next(const struct machine *m, struct machine_next *model_next)
{
	const struct model *model = (const struct model *)m;
	const struct soc *soc = model->soc;
	unsigned hart = soc_current(soc);

	*model_next = (struct machine_next){.pc = soc_pc(soc, hart), .known = true};
	if (model->watch.n && soc_instret(soc, hart) == model->looked)
		model_next->begins = &model->watch;
	if (!soc_read_virtual(soc, hart, model_next->pc, &model_next->insn, 4) &&
	    !soc_read_virtual(soc, hart, model_next->pc, &model_next->insn, 2))
		model_next->insn = 0;
	if ((model_next->insn & 3U) != 3U)
		model_next->insn &= 0xffff;
}

static bool model_read_memory(void *user, uint64_t address, void *data, size_t size)
{
	return soc_read_virtual(user, soc_current(user), address, data, size);
}

/* Returns whether a program begins, after a return to U-mode. */
static bool model_program_begins(void *user)
{
	struct model *model = user;
	struct soc *soc = model->soc;
	unsigned hart = soc_current(soc);
	const struct exec_view view = {.pc = soc_pc(soc, hart),
				       .sp = soc_x(soc, hart, TR_REG_SP),
				       .user = soc,
				       .read = model_read_memory};

	if (!exec_watch_check(&model->watch, &view))
		return false;
	model->looked = soc_instret(soc, hart);
	return true;
}

static bool watch(struct machine *m, const struct trigger *trigger)
{
	struct model *model = (struct model *)m;

	if (trigger->kind == TRIGGER_EXEC) {
		model->looked = UINT64_MAX;
		soc_break_at_return(model->soc, model_program_begins, model);
		return exec_watch_add(&model->watch, trigger->exec);
	}
	if (trigger->kind == TRIGGER_PC)
		return soc_break_at_pc(soc_of(m), trigger->value);
	if (trigger->kind == TRIGGER_INSN)
		return soc_break_at_insn(soc_of(m), (uint32_t)trigger->value,
					 trigger->mask);
	return false;
}

static void model_set_a1(struct machine *m, uint64_t value)
{
	enum { A1 = 11 };

	for (unsigned i = 0; i < soc_harts(soc_of(m)); i++)
		soc_set_x(soc_of(m), i, A1, value);
}

static bool model_resume(struct machine *m, const struct soc_state *model_states)
{
	for (unsigned i = 0; i < soc_harts(soc_of(m)); i++)
		soc_set_state(soc_of(m), i, &model_states[i]);
	((struct model *)m)->hash_at += model_states[0].instret;
	return true;
}

static bool model_save(const struct machine *m, struct soc_state *model_states)
{
	soc_get_states(soc_of(m), model_states);
	return true;
}

static bool model_uses(const struct machine *m, struct soc_line_uses *uses)
{
	return soc_last_uses(soc_of(m), uses);
}

static void model_set_uses(struct machine *m, const struct soc_line_uses *uses)
{
	soc_set_last_uses(soc_of(m), uses);
}

static bool model_snapshot(const struct machine *m, unsigned hart,
			   struct soc_state *model_state, bool *back)
{
	soc_get_state(soc_of(m), hart, model_state);
	*back = false;
	return true;
}

static void model_memory_changes(struct machine *m, void *user,
				 void (*put)(void *user, uint64_t address,
					     const uint8_t *data, uint32_t size))
{
	enum { PAGE = 4096 };
	const struct soc_image *image = m->image;

	for (uint64_t at = 0; put && at < image->size; at += PAGE)
		if (soc_page_written(soc_of(m), SOC_RAM_BASE + at))
			put(user, SOC_RAM_BASE + at, image->ram + at, PAGE);
	soc_forget_written(soc_of(m));
}

/* Rows contain the same information as tokens, and are faster. */
static void model_set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	const struct soc_hooks mine = {.user = hooks->user,
				       .row = hooks->row,
				       .trap = hooks->trap,
				       .xret = hooks->xret,
				       .satp = hooks->satp,
				       .reg = hooks->reg,
				       .input = hooks->input,
				       .device_write = hooks->device_write,
				       .uart = hooks->uart};

	((struct model *)m)->hooks = *hooks;
	soc_set_hooks(soc_of(m), &mine);
}

static size_t model_receive(struct machine *m, const uint8_t *data, size_t size)
{
	return soc_uart_receive(soc_of(m), data, size);
}

static enum soc_power model_power(const struct machine *m, unsigned *status)
{
	*status = soc_power_status(soc_of(m));
	return soc_power_state(soc_of(m));
}

static void model_trap_chain(const struct machine *m, struct soc_trap *first,
			     struct soc_trap *last)
{
	soc_trap_chain(soc_of(m), soc_current(soc_of(m)), first, last);
}

struct machine *model_machine_new(const struct simulator_config *config)
{
	static const struct machine_ops ops = {.run = model_run,
					       .request_stop = model_request_stop,
					       .state = model_state,
					       .hart = model_hart_state,
					       .next = model_next,
					       .watch = watch,
					       .set_a1 = model_set_a1,
					       .resume = model_resume,
					       .registers = model_hash_registers,
					       .save = model_save,
					       .uses = model_uses,
					       .fill_caches = model_set_uses,
					       .snapshot = model_snapshot,
					       .changes = model_memory_changes,
					       .set_hooks = model_set_hooks,
					       .receive = model_receive,
					       .power = model_power,
					       .chain = model_trap_chain};
	const struct soc_config soc = {.ram_size = config->ram_size,
				       .harts = config->harts,
				       .features = config->features,
				       .records_uses = config->records_uses};
	struct model *model = calloc(1, sizeof(*model));

	if (!model)
		return NULL;
	model->soc = soc_new(&soc);
	if (!model->soc) {
		free(model);
		return NULL;
	}
	if (config->features.disk)
		soc_set_disk(model->soc, config->disk, &config->disk_timing);
	model->hash_at = SOC_HASH_EVERY;
	model->pause_at = UINT64_MAX;
	model->machine.ops = &ops;
	model->machine.image = soc_image(model->soc);
	return &model->machine;
}

void model_machine_free(struct machine *m)
{
	soc_free(soc_of(m));
	free(m);
}
