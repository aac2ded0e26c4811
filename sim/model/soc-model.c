/* SPDX-License-Identifier: Apache-2.0 */
/* soc-model: runs ELF files and raw images on the functional model. */
#include <stdlib.h>

#include "model/state.h"
#include "run/simulator.h"

enum { CSR_SATP = 0x180 };

struct model {
	struct machine machine; /* must be first */
	struct soc *soc;
	struct exec_watch watch;
	uint64_t looked; /* instructions before the last look that found a program */
	struct machine_hooks hooks;
	uint64_t hash_at; /* instructions before the next hash of the registers */
};

static struct soc *soc_of(const struct machine *m)
{
	return ((const struct model *)m)->soc;
}

static bool registers(const struct machine *m, unsigned hart, uint64_t *hash)
{
	enum { CSR_FCSR = 3 };
	const struct soc *soc = soc_of(m);
	uint64_t x[32], f[32], fcsr = 0;

	for (unsigned i = 0; i < 32; i++) {
		x[i] = soc_x(soc, hart, i);
		f[i] = soc_f(soc, hart, i);
	}
	soc_csr(soc, hart, CSR_FCSR, &fcsr);
	*hash = soc_hash_registers(x, m->has_float ? f : NULL, fcsr);
	return true;
}

static void tell_registers(struct model *model)
{
	uint64_t hash;

	if (soc_instret(model->soc, 0) < model->hash_at)
		return;
	model->hash_at = soc_instret(model->soc, 0) + SOC_HASH_EVERY;
	registers(&model->machine, 0, &hash);
	model->hooks.registers(model->hooks.user, 0, hash);
}

/* Runs a machine of one hart that tells hashes of its registers. */
static enum soc_stop run_hashed(struct model *model, uint64_t instret, uint64_t cycle)
{
	enum soc_stop stop;

	do {
		uint64_t most = model->hash_at < instret ? model->hash_at : instret;

		stop = soc_run(model->soc, most, cycle);
		tell_registers(model);
	} while (stop == SOC_STOP_LIMIT && soc_instret(model->soc, 0) < instret &&
		 soc_cycle(model->soc, 0) < cycle);
	return stop;
}

static enum machine_stop run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	static const enum machine_stop stops[] = {
	    [SOC_STOP_LIMIT] = MACHINE_LIMIT, [SOC_STOP_REQUEST] = MACHINE_REQUEST,
	    [SOC_STOP_POWER] = MACHINE_POWER, [SOC_STOP_BREAK] = MACHINE_BREAK,
	    [SOC_STOP_IDLE] = MACHINE_IDLE,   [SOC_STOP_LOOP] = MACHINE_LOOP};

	struct model *model = (struct model *)m;

	if (!model->hooks.registers || soc_harts(model->soc) > 1)
		return stops[soc_run(model->soc, instret, cycle)];
	return stops[run_hashed(model, instret, cycle)];
}

static void request_stop(struct machine *m)
{
	soc_request_stop(soc_of(m));
}

static void hart_state(const struct machine *m, unsigned hart,
		       struct machine_state *state)
{
	const struct soc *soc = soc_of(m);

	*state = (struct machine_state){.cycle = soc_cycle(soc, hart),
					.instret = soc_instret(soc, hart)};
	soc_csr(soc, hart, CSR_SATP, &state->context.satp);
	state->context.tp = soc_x(soc, hart, TR_REG_TP);
	state->sp = soc_x(soc, hart, TR_REG_SP);
	state->has_sp = true;
	state->context.priv = (uint8_t)soc_priv(soc, hart);
}

static void state(const struct machine *m, struct machine_state *state)
{
	const struct soc *soc = soc_of(m);

	hart_state(m, soc_current(soc), state);
	state->instret = 0;
	for (unsigned i = 0; i < soc_harts(soc); i++) {
		state->instret += soc_instret(soc, i);
		if (soc_cycle(soc, i) > state->cycle)
			state->cycle = soc_cycle(soc, i);
	}
}

static void next(const struct machine *m, struct machine_next *next)
{
	const struct model *model = (const struct model *)m;
	const struct soc *soc = model->soc;
	unsigned hart = soc_current(soc);

	*next = (struct machine_next){.pc = soc_pc(soc, hart), .known = true};
	if (model->watch.n && soc_instret(soc, hart) == model->looked)
		next->begins = &model->watch;
	if (!soc_read_virtual(soc, hart, next->pc, &next->insn, 4) &&
	    !soc_read_virtual(soc, hart, next->pc, &next->insn, 2))
		next->insn = 0;
	if ((next->insn & 3U) != 3U)
		next->insn &= 0xffff;
}

static bool read_memory(void *user, uint64_t address, void *data, size_t size)
{
	return soc_read_virtual(user, soc_current(user), address, data, size);
}

/* Returns whether a program begins, after a return to U-mode. */
static bool begins(void *user)
{
	struct model *model = user;
	struct soc *soc = model->soc;
	unsigned hart = soc_current(soc);
	const struct exec_view view = {.pc = soc_pc(soc, hart),
				       .sp = soc_x(soc, hart, TR_REG_SP),
				       .user = soc,
				       .read = read_memory};

	if (!exec_watch_look(&model->watch, &view))
		return false;
	model->looked = soc_instret(soc, hart);
	return true;
}

static bool watch(struct machine *m, const struct trigger *trigger)
{
	struct model *model = (struct model *)m;

	if (trigger->kind == TRIGGER_EXEC) {
		model->looked = UINT64_MAX;
		soc_break_at_return(model->soc, begins, model);
		return exec_watch_add(&model->watch, trigger->exec);
	}
	if (trigger->kind == TRIGGER_PC)
		return soc_break_at_pc(soc_of(m), trigger->value);
	if (trigger->kind == TRIGGER_INSN)
		return soc_break_at_insn(soc_of(m), (uint32_t)trigger->value,
					 trigger->mask);
	return false;
}

static void set_a1(struct machine *m, uint64_t value)
{
	enum { A1 = 11 };

	for (unsigned i = 0; i < soc_harts(soc_of(m)); i++)
		soc_set_x(soc_of(m), i, A1, value);
}

static bool resume(struct machine *m, const struct soc_state *state)
{
	soc_set_state(soc_of(m), 0, state);
	((struct model *)m)->hash_at += state->instret;
	return true;
}

static void save(const struct machine *m, struct soc_state *state)
{
	soc_get_state(soc_of(m), 0, state);
}

static bool snapshot(const struct machine *m, unsigned hart, struct soc_state *state,
		     bool *back)
{
	soc_get_state(soc_of(m), hart, state);
	*back = false;
	return true;
}

static void changes(struct machine *m, void *user,
		    void (*put)(void *user, uint64_t address, const uint8_t *data,
				uint32_t size))
{
	enum { PAGE = 4096 };
	const struct soc_image *image = m->image;

	for (uint64_t at = 0; put && at < image->size; at += PAGE)
		if (soc_page_written(soc_of(m), SOC_RAM_BASE + at))
			put(user, SOC_RAM_BASE + at, image->ram + at, PAGE);
	soc_forget_written(soc_of(m));
}

/* Rows contain the same information as tokens, and are faster. */
static void set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	const struct soc_hooks mine = {.user = hooks->user,
				       .row = hooks->row,
				       .trap = hooks->trap,
				       .xret = hooks->xret,
				       .satp = hooks->satp,
				       .reg = hooks->reg,
				       .outside = hooks->outside,
				       .uart = hooks->uart};

	((struct model *)m)->hooks = *hooks;
	soc_set_hooks(soc_of(m), &mine);
}

static size_t receive(struct machine *m, const uint8_t *data, size_t size)
{
	return soc_uart_receive(soc_of(m), data, size);
}

static enum soc_power power(const struct machine *m, unsigned *status)
{
	*status = soc_power_status(soc_of(m));
	return soc_power_state(soc_of(m));
}

static void chain(const struct machine *m, struct soc_trap *first, struct soc_trap *last)
{
	soc_trap_chain(soc_of(m), soc_current(soc_of(m)), first, last);
}

static struct machine *create(const struct simulator_config *config)
{
	static const struct machine_ops ops = {.run = run,
					       .request_stop = request_stop,
					       .state = state,
					       .hart = hart_state,
					       .next = next,
					       .watch = watch,
					       .set_a1 = set_a1,
					       .resume = resume,
					       .registers = registers,
					       .save = save,
					       .snapshot = snapshot,
					       .changes = changes,
					       .set_hooks = set_hooks,
					       .receive = receive,
					       .power = power,
					       .chain = chain};
	const struct soc_config soc = {.ram_size = config->ram_size,
				       .harts = config->harts,
				       .has_float = config->has_float,
				       .has_copy = config->has_copy};
	struct model *model = calloc(1, sizeof *model);

	if (!model)
		return NULL;
	model->soc = soc_new(&soc);
	if (!model->soc) {
		free(model);
		return NULL;
	}
	model->hash_at = SOC_HASH_EVERY;
	model->machine.ops = &ops;
	model->machine.has_float = config->has_float;
	model->machine.image = soc_image(model->soc);
	return &model->machine;
}

static void destroy(struct machine *m)
{
	soc_free(soc_of(m));
	free(m);
}

int main(int argc, char **argv)
{
	static const struct simulator simulator = {
	    .name = "soc-model",
	    .usage = SIMULATOR_USAGE("soc-model", "a functional RV64 machine"),
	    .precision = "instructions",
	    .can_save = true,
	    .can_float = true,
	    .max_harts = SOC_HARTS_MAX,
	    .create = create,
	    .destroy = destroy,
	};

	return simulator_main(&simulator, argc, argv);
}
